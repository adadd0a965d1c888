// Writes points of messages to datasets the way the API does: the same parser, the same rules of types and order.

import { type Engine, EngineError, type ErrorCode, type LateRule, type TagChange } from '../../../engine/index.ts';
import { escapePointer } from '../../codec/body/batch-builder.ts';
import { Bodies } from '../../codec/body/pieces.ts';
import { TvqParser } from '../../codec/read-json/tvq-parser.ts';
import type { TruthTags } from '../../codec/scalars/value-fit.ts';
import type { DroppedPoints } from '../../metrics/dropped-points.ts';
import { ProblemError, type ProblemFault } from '../../problem.ts';
import { createPacer } from '../../process/pacer.ts';
import type { MappedPoint } from './mapping/mapped-point.ts';

const MAX_TEXT_BYTES = 65_536;

/** A point, and the message that it came with. */
export interface SourcedPoint<M> extends Omit<MappedPoint, 'dataset'> {
  readonly message: M;
}

export interface WriteOutcome<M> {
  readonly written: number;
  readonly ignored: number;
  readonly repeated: number;
  readonly expired: number;
  readonly rejected: number;
  /** The first faults, each with its message. */
  readonly faults: readonly { readonly message: M; readonly reason: string }[];
}

/** What no other try would mend: the name, the tag or the time is not one that the dataset takes. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BAD_NAME',
  'BAD_REQUEST',
  'TOO_FAR_AHEAD',
  'DATASET_DELETED',
  'DATASET_NOT_FOUND',
  'TAG_NOT_FOUND',
]);

/** Why the points of a write can never be stored; undefined when it is worth another try. */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof EngineError) return REFUSALS.has(error.code) ? error.message : undefined;
  return error instanceof ProblemError ? error.message : undefined;
}

export interface WriterParts {
  readonly engine: Engine;
  readonly truths: TruthTags;
  /** Rule for late points of datasets that are made here. */
  readonly late: LateRule;
  readonly dropped: DroppedPoints;
}

export class PointWriter {
  readonly #engine: Engine;
  readonly #truths: TruthTags;
  readonly #late: LateRule;
  readonly #dropped: DroppedPoints;
  readonly #bodies = new Bodies(() => new TvqParser());
  readonly #pacer = createPacer();

  constructor({ engine, truths, late, dropped }: WriterParts) {
    this.#engine = engine;
    this.#truths = truths;
    this.#late = late;
    this.#dropped = dropped;
  }

  /** Stores points of one dataset together; faulty ones are left out. Rejects as `Engine.append` does. */
  async write<M>(dataset: string, points: readonly SourcedPoint<M>[]): Promise<WriteOutcome<M>> {
    const byTag = new Map<string, SourcedPoint<M>[]>();
    for (const point of points) {
      const earlier = byTag.get(point.tag);
      if (earlier === undefined) byTag.set(point.tag, [point]);
      else earlier.push(point);
      if (this.#pacer.isDue()) await this.#pacer.yield();
    }
    const serverMs: number[] = [];
    const bytes = Buffer.from(await this.#bodyOf(byTag, serverMs));
    const lookup = () => this.#engine.lookup(dataset);
    const options = { shape: { kind: 'tags' }, handling: 'lenient', arrivalMs: serverMs } as const;
    const all = { ...options, lookup: lookup(), maxTextBytes: MAX_TEXT_BYTES, truths: this.#truths };
    const parsed = await this.#bodies.parse(bytes, all, { holder: 'mqtt' }, lookup);
    try {
      const hasPoints = parsed.batch.runs.some(({ count }) => count > 0);
      const receipt = hasPoints ? await this.#engine.append(dataset, parsed.batch, this.#late) : NOTHING;
      this.#dropped.add(receipt, { door: 'mqtt', dataset });
      const { written, ignored, repeated, expired } = receipt;
      const faults = faultsOf(parsed.faults, byTag);
      return { written, ignored, repeated, expired, rejected: parsed.rejected, faults };
    } finally {
      this.#bodies.release(parsed.batch);
    }
  }

  /** Creates tags, and changes those that a definition says something else of. */
  async define(dataset: string, changes: readonly TagChange[]): Promise<void> {
    const news: TagChange[] = [];
    for (const change of changes) {
      if (this.#isNew(dataset, change)) news.push(change);
      if (this.#pacer.isDue()) await this.#pacer.yield();
    }
    if (news.length > 0)
      await this.#engine.defineTags(
        dataset,
        [...new Map(news.map((change) => [change.name, change])).values()],
        this.#late,
      );
  }

  /** The points as the API takes them; `serverMs` gets the times of those without one, in their order. */
  async #bodyOf<M>(byTag: ReadonlyMap<string, readonly SourcedPoint<M>[]>, serverMs: number[]): Promise<string> {
    const members: string[] = [];
    for (const [tag, points] of byTag) {
      for (const point of points) if (point.serverMs !== undefined) serverMs.push(point.serverMs);
      members.push(`${JSON.stringify(tag)}:[${points.map(({ text }) => text).join(',')}]`);
      if (this.#pacer.isDue()) await this.#pacer.yield();
    }
    return `{${members.join(',')}}`;
  }

  #isNew(dataset: string, { name, type, description, units }: TagChange): boolean {
    try {
      if (this.#engine.lookup(dataset).find(name) === undefined) return true;
      const tag = this.#engine.tag(dataset, name);
      const isSame = (description ?? tag.description) === tag.description && type === tag.type;
      return !isSame || (units !== undefined && units.get(1) !== tag.units?.get(1));
    } catch {
      return true;
    }
  }
}

const NOTHING = { written: 0, ignored: 0, repeated: 0, expired: 0 };

/** By the pointers of the faults: `/tag/index/member`, or `/tag` for a name that no tag can have. */
function faultsOf<M>(
  faults: readonly ProblemFault[],
  byTag: ReadonlyMap<string, readonly SourcedPoint<M>[]>,
): { message: M; reason: string }[] {
  if (faults.length === 0) return [];
  const names = new Map([...byTag.keys()].map((tag) => [escapePointer(tag), tag]));
  return faults.flatMap(({ path, message: reason }) => {
    const [, name = '', index = '0'] = path.split('/');
    const tag = names.get(name) ?? '';
    const point = byTag.get(tag)?.[Number(index)] ?? byTag.get(tag)?.[0];
    return point === undefined ? [] : [{ message: point.message, reason: `${tag}: ${reason}` }];
  });
}
