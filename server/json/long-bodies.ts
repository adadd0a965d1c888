// Reads long bodies, one at a time and in steps, so that the event loop never waits for one. Short bodies pass by.

import type { PointBatch, PointRun, TagLookup } from '../../engine/index.ts';
import { ProblemError } from '../http/problem.ts';
import type { ParsedBody } from './batch-builder.ts';
import type { BodyParser, ParseOptions } from './body-parser.ts';

/** Shorter bodies are read in one go: tens of ms at the very worst. */
export const LONG_BODY_BYTES = 524_288;
/** Bodies that wait for their turn may hold this much together; above it: 503. */
const WAITING_LIMIT_BYTES = 268_435_456;
/** So long a body is read before others have their turn. */
const SLICE_MS = 10;

export class LongBodies {
  private readonly parser: BodyParser;
  private readonly waitingLimitBytes: number;
  private waitingBytes = 0;
  private last: Promise<unknown> = Promise.resolve();

  /** The parser is used by nobody else. */
  constructor(parser: BodyParser, waitingLimitBytes: number = WAITING_LIMIT_BYTES) {
    this.parser = parser;
    this.waitingLimitBytes = waitingLimitBytes;
  }

  /**
   * Reads a body when its turn has come. `lookup` is asked at the beginning, and again at the end, because tags and
   * datasets may come and go meanwhile. Rejects as `BodyParser.parse` throws, and with 503 when too much waits.
   */
  parse(bytes: Uint8Array, options: Omit<ParseOptions, 'lookup'>, lookup: () => TagLookup): Promise<ParsedBody> {
    if (this.waitingBytes > 0 && this.waitingBytes + bytes.length > this.waitingLimitBytes) {
      const busy = new ProblemError(503, 'Too many long bodies wait to be read; try again in a moment.', {
        headers: [['Retry-After', '1']],
      });
      return Promise.reject(busy);
    }
    this.waitingBytes += bytes.length;
    const reading = this.last.then(() => this.read(bytes, options, lookup));
    this.last = reading.catch(() => undefined);
    return reading.finally(() => {
      this.waitingBytes -= bytes.length;
    });
  }

  /** As `BodyParser.release`. */
  release(batch: PointBatch): void {
    this.parser.release(batch);
  }

  private async read(
    bytes: Uint8Array,
    options: Omit<ParseOptions, 'lookup'>,
    lookup: () => TagLookup,
  ): Promise<ParsedBody> {
    const { parser } = this;
    parser.beginSteps(bytes, { ...options, lookup: lookup() });
    let hasYielded = false;
    let sliceStartMs = performance.now();
    while (!parser.step()) {
      if (performance.now() - sliceStartMs < SLICE_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      hasYielded = true;
      sliceStartMs = performance.now();
    }
    const parsed = parser.finish();
    if (!hasYielded) return parsed;
    const { points, runs } = parsed.batch;
    return { ...parsed, batch: { points, runs: findTagsAgain(runs, lookup()) } };
  }
}

/** The runs with their tags as they are now. */
function findTagsAgain(runs: readonly PointRun[], lookup: TagLookup): readonly PointRun[] {
  let isOther = false;
  for (const run of runs as { -readonly [K in keyof PointRun]: PointRun[K] }[]) {
    const tag = lookup.find(run.name);
    isOther ||= tag !== run.tag;
    run.tag = tag;
  }
  return isOther ? lastOfEachName(runs) : runs;
}

/** A name that was there twice was seen to be so only while its tag was the same. */
function lastOfEachName(runs: readonly PointRun[]): readonly PointRun[] {
  const last = new Map(runs.map((run) => [run.name, run]));
  return last.size === runs.length ? runs : runs.filter((run) => last.get(run.name) === run);
}
