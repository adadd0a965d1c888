// The state of one dataset in memory. The operations on it are elsewhere: ingest/, read/, flush/, retention/, maintenance/.

import { AnnotationStore } from '../annotations/annotation-store.ts';
import { DatasetCorrections } from '../corrections/dataset-corrections.ts';
import type { EncodingThread } from '../encoder/encoding-thread.ts';
import { EngineError } from '../errors.ts';
import type { BlockCache } from '../files/block-cache.ts';
import type { Clock } from '../io/clock.ts';
import type { ClockWatch } from '../io/clock-watch.ts';
import type { Random } from '../io/random.ts';
import type { Vfs } from '../io/vfs.ts';
import type { EngineTunables } from '../limits.ts';
import type { Tag } from '../tag/tag.ts';
import type { DatasetDefinition, Durability, EngineEvent, EngineListener } from '../types.ts';
import { Audience } from './audience.ts';
import type { CatalogNames } from './catalog-names.ts';
import { DatasetFiles } from './dataset-files.ts';
import { DatasetMemory } from './dataset-memory.ts';
import { DatasetProgress } from './dataset-progress.ts';
import { DatasetTags } from './dataset-tags.ts';
import type { DiskSpace } from './disk-space.ts';
import { RetentionCutoffs } from './retention-cutoffs.ts';
import { Writing } from './writing.ts';

/** Set by the first failed sync of any dataset: from then on nothing is written. */
export interface EngineHealth {
  poisoned: EngineError | undefined;
}

/** What every dataset of an engine shares. */
export interface EngineContext {
  readonly vfs: Vfs;
  readonly clock: Clock;
  readonly clockWatch: ClockWatch;
  readonly random: Random;
  readonly durability: Durability;
  readonly tunables: EngineTunables;
  readonly listener: EngineListener;
  readonly disk: DiskSpace;
  readonly blockCache: BlockCache;
  /** Undefined where blocks are encoded on the main thread. */
  readonly encodingThread: EncodingThread | undefined;
  readonly health: EngineHealth;
  /** Called at the first failed sync; from then on nothing is written. */
  readonly poison: (error: EngineError) => void;
  readonly bytesWritten: { journal: number; spill: number; tags: number; catalog: number };
}

export interface PointCounters {
  written: number;
  ignored: number;
  repeated: number;
  rejected: number;
  ahead: number;
  expired: number;
  read: number;
  requests: number;
  damagedBlocks: number;
}

export class Dataset {
  readonly context: EngineContext;
  readonly name: string;
  definition: DatasetDefinition;

  readonly tags: DatasetTags;
  readonly files: DatasetFiles;
  readonly memory = new DatasetMemory();
  readonly progress = new DatasetProgress();
  readonly audience = new Audience();
  readonly writing = new Writing();

  readonly cutoffs = new RetentionCutoffs();
  readonly annotations: AnnotationStore;
  readonly corrections = new DatasetCorrections();
  purgeUnmet: string | undefined;
  /** Set when the engine closes or soon will. */
  isClosing = false;
  /** Purge has stopped waiting for a copy, and has said so. */
  isPurgingUncopied = false;
  /** 32 hexadecimal digits; undefined until it is followed first. */
  identity: string | undefined;
  readonly counters: PointCounters = {
    written: 0,
    ignored: 0,
    repeated: 0,
    rejected: 0,
    ahead: 0,
    expired: 0,
    read: 0,
    requests: 0,
    damagedBlocks: 0,
  };
  /** Events of level `error` that were reported. */
  errorCount = 0;
  deleted = false;
  /** Checkpoint, purge and removal of this dataset: one at a time. */
  maintenance: Promise<void> = Promise.resolve();
  /** While a catalog is being written. */
  catalogNames: CatalogNames | undefined;

  constructor(context: EngineContext, folder: string, definition: DatasetDefinition) {
    this.context = context;
    this.name = definition.name;
    this.definition = definition;
    this.files = new DatasetFiles(folder, context.tunables);
    this.tags = new DatasetTags(() => context.clock.nowMs());
    this.annotations = new AnnotationStore(this);
  }

  report(
    level: EngineEvent['level'],
    event: string,
    message: string,
    details: { path?: string; [key: string]: unknown } = {},
  ): void {
    const { path, ...rest } = details;
    if (level === 'error') this.errorCount++;
    this.context.listener({
      level,
      event,
      message,
      dataset: this.name,
      ...(path === undefined ? {} : { path }),
      details: rest,
    });
  }

  /** Removes a tag from memory; its files are removed elsewhere. */
  removeTag(tag: Tag): void {
    this.tags.remove(tag);
    this.audience.noteTag(tag);
    this.corrections.forgetTag(tag.id);
  }

  /** Backpressure on the journal while heads take twice their limit; resolves when maintenance has made room. */
  room(): Promise<void> | undefined {
    return this.memory.arena.usedBytes > 2 * this.context.tunables.headLimitBytes ? this.maintenance : undefined;
  }

  /** Whether the engine closes or the dataset is deleted: long maintenance that the next start may as well do ends early. */
  get isEnding(): boolean {
    return this.isClosing || this.deleted;
  }

  /** Runs work that must not overlap with other maintenance of this dataset. */
  maintain(work: () => Promise<void>): Promise<void> {
    const run = this.maintenance.then(work);
    this.maintenance = run.catch(() => undefined);
    return run;
  }

  /** Throws when this dataset cannot be written to. */
  checkWritable(): void {
    if (this.deleted)
      throw new EngineError('DATASET_NOT_FOUND', `Dataset '${this.name}' could not be found.`, { name: this.name });
    if (this.context.health.poisoned) throw this.context.health.poisoned;
    this.context.disk.checkRoom();
  }
}
