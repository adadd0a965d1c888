// Reads bodies one at a time and in steps, so that the event loop never waits for one.

import { isTurnOver, nextTurn, type PointBatch, type PointRun, type TagLookup } from '../../../engine/index.ts';
import { FairTurns } from '../../process/fair-turns.ts';
import { NameMap } from '../names/name-map.ts';
import type { ParsedBody } from './batch-builder.ts';

/** Time that a body is read for before others have their turn. */
const SLICE_MS = 4;
/** Runs whose tags are looked up between two looks at the clock. */
const RUNS_A_LOOK = 256;

export interface Looking {
  readonly lookup: TagLookup;
}

/** A reader of bodies in steps. */
export interface SteppedParser<Options extends Looking, Parsed extends ParsedBody> {
  /** Begins a body; no other may be read before `finish`, or a throw. `long` steps may take several times as long. */
  beginSteps(bytes: Uint8Array, options: Options, steps: 'short' | 'long'): void;
  /** Reads one step; true when the body has been read. Forgets the body when it throws. */
  step(): boolean;
  finish(): Parsed;
  /** Forgets the body being read. */
  abandon(): void;
  release(batch: PointBatch): void;
}

export class LongBodies<Options extends Looking, Parsed extends ParsedBody = ParsedBody> {
  readonly #parser: SteppedParser<Options, Parsed>;
  readonly #turns = new FairTurns(1);

  /** The parser is used by nobody else. */
  constructor(parser: SteppedParser<Options, Parsed>) {
    this.#parser = parser;
  }

  /**
   * Reads a body when its turn has come; holders take turns. `lookup` is asked at the beginning, and again at the end: if
   * tags or the dataset have come or gone meanwhile, all names are looked up once more. Rejects as the parser throws.
   */
  async parse(
    bytes: Uint8Array,
    options: Omit<Options, 'lookup'>,
    holder: string,
    lookup: () => TagLookup,
  ): Promise<Parsed> {
    const waiting = this.#turns.take(holder);
    if (waiting !== undefined) await waiting;
    try {
      return await this.#read(bytes, options, lookup);
    } finally {
      this.#turns.give();
    }
  }

  /** Reclaims the memory of a batch, once nobody uses it any more. */
  release(batch: PointBatch): void {
    this.#parser.release(batch);
  }

  async #read(bytes: Uint8Array, options: Omit<Options, 'lookup'>, lookup: () => TagLookup): Promise<Parsed> {
    const parser = this.#parser;
    const tags = lookup();
    const { changes } = tags;
    parser.beginSteps(bytes, { ...options, lookup: tags } as Options & Looking, 'short');
    while (!parser.step()) if (isTurnOver(performance.now(), SLICE_MS)) await nextTurn();
    const parsed = parser.finish();
    if (lookup() === tags && tags.changes === changes) return parsed;
    const { points, runs } = parsed.batch;
    return { ...parsed, batch: { points, runs: await findTagsAgain(runs, lookup) } };
  }
}

/** The runs with their tags as they are now; a tag that goes or comes while many are looked up is found when the points are appended. */
async function findTagsAgain(runs: readonly PointRun[], lookup: () => TagLookup): Promise<readonly PointRun[]> {
  let isOther = false;
  let tags = lookup();
  for (const [index, run] of (runs as { -readonly [K in keyof PointRun]: PointRun[K] }[]).entries()) {
    if (index % RUNS_A_LOOK === 0 && isTurnOver(performance.now(), SLICE_MS)) {
      await nextTurn();
      tags = lookup();
    }
    const tag = tags.find(run.name);
    isOther ||= tag !== run.tag;
    run.tag = tag;
  }
  return isOther ? await lastOfEachName(runs) : runs;
}

/** A name that was there twice was seen to be so only while its tag was the same. */
async function lastOfEachName(runs: readonly PointRun[]): Promise<readonly PointRun[]> {
  const last = new NameMap<PointRun>();
  const each = async (work: (run: PointRun) => void): Promise<void> => {
    for (const [index, run] of runs.entries()) {
      if (index % RUNS_A_LOOK === 0 && isTurnOver(performance.now(), SLICE_MS)) await nextTurn();
      work(run);
    }
  };
  await each((run) => last.set(run.name, run));
  if (last.size === runs.length) return runs;
  const kept: PointRun[] = [];
  await each((run) => {
    if (last.get(run.name) === run) kept.push(run);
  });
  return kept;
}
