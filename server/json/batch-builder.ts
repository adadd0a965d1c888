// Collects the points of one body into the columns of a batch, run by run, and the faults found on the way.
// Knows nothing of the body's format.

import { type PointBatch, PointColumns, type PointRun, type TagRef, ValueType } from '../../engine/index.ts';
import { ProblemError, type ProblemFault } from '../http/problem.ts';
import { ColumnPool } from './column-pool.ts';

/** Faults that are kept word for word; the rest is only counted. */
export const MAX_FAULTS = 100;

/** Points that one body may have, at 23 bytes each: as many as fill 64 MiB with a time and a value as doubles. */
export const MAX_POINTS_IN_BODY = 4_194_304;
/** Columns of so many points grow to what the body may need in one step, because each copies what is there. */
const LEAP_POINTS = 262_144;
/** No point of a body takes less. */
const FEWEST_POINT_BYTES = 2;

/** Runs kept for the next bodies. */
const POOLED_RUNS = 16_384;

/** Where the points of a run stand in the body: in the member named like the tag, or as the body itself. */
export type RunPlace = 'member' | 'body';

type MutableRun = { -readonly [K in keyof PointRun]: PointRun[K] };

/** What a body was read as. */
export interface ParsedBody {
  /** Give it back with `release` once nobody uses it any more. */
  readonly batch: PointBatch;
  /** The first 100 faults. With `handling: 'strict'` the batch is empty as soon as there is one. */
  readonly faults: readonly ProblemFault[];
  readonly faultCount: number;
  /** Points left out because they were faulty, over all tags, those with impossible names included. */
  readonly rejected: number;
}

export class BatchBuilder {
  /** Columns of the batch being built; `points.count` is the place of the point being built. */
  points = new PointColumns(0);
  /** The halves of `points.bigints`, low half first. */
  words: Int32Array = new Int32Array(0);
  /** Type of the run being built; `Open` until its first value. */
  type: ValueType = ValueType.Open;
  stamped = 0;

  private mostPoints = 0;
  private run: MutableRun | undefined;
  private runs: MutableRun[] = [];
  private faults: ProblemFault[] = [];
  private faultCount = 0;
  private rejected = 0;
  /** Where the points of the run stand: under the tag's name, or as the whole body. */
  private place: RunPlace = 'body';
  /** The point being built in its array. */
  private index = 0;
  /** How the run's points are written, for the pointers to their faults. */
  private form: 'objects' | 'columns' = 'objects';
  private isFaulty = false;
  private readonly pool = new ColumnPool();
  private readonly runPool: MutableRun[] = [];
  private readonly leased = new Set<PointColumns>();

  /** @param bodyBytes of the body, for a guess at how many points it has */
  begin(bodyBytes: number): void {
    this.points = this.pool.take(bodyBytes);
    this.leased.add(this.points);
    this.mostPoints = Math.min(MAX_POINTS_IN_BODY, Math.ceil(bodyBytes / FEWEST_POINT_BYTES));
    this.words = new Int32Array(this.points.numbers.buffer);
    this.run = undefined;
    this.runs = [];
    this.faults = [];
    this.faultCount = 0;
    this.rejected = 0;
  }

  finish(handling: 'strict' | 'lenient'): ParsedBody {
    const { points, faults, faultCount, rejected } = this;
    const isRefused = handling === 'strict' && faultCount > 0;
    if (isRefused) points.clear();
    const runs = isRefused ? [] : this.runs;
    return { batch: { points, runs, rejected }, faults, faultCount, rejected };
  }

  /** Takes the memory of a batch back; a batch that was given back already is none of ours. */
  release(batch: PointBatch): void {
    const { points, runs } = batch;
    if (!this.leased.delete(points)) return;
    points.clear();
    for (let i = 0; i < runs.length && this.runPool.length < POOLED_RUNS; i++) {
      const run = runs[i] as MutableRun;
      run.tag = undefined;
      this.runPool.push(run);
    }
    this.pool.giveBack(points);
  }

  /** Gives up the batch being built. */
  abandon(): void {
    this.release({ points: this.points, runs: this.runs });
  }

  /** Makes room for one point more. */
  reserve(): void {
    this.reserveTo(this.points.count + 1);
  }

  /** Makes room for so many points. Throws 413 for more than a body may have. */
  reserveTo(count: number): void {
    const { points } = this;
    if (count <= points.capacity) return;
    if (count > MAX_POINTS_IN_BODY) refusePoints();
    points.reserve(points.capacity < LEAP_POINTS ? count : Math.max(count, this.mostPoints));
    this.words = new Int32Array(points.numbers.buffer);
  }

  /** Begins the points of a tag. */
  beginRun(name: string, tag: TagRef | undefined, place: RunPlace): void {
    this.type = tag?.type ?? ValueType.Open;
    this.stamped = 0;
    this.place = place;
    this.form = 'objects';
    this.index = 0;
    const run = this.runPool.pop() ?? newRun();
    run.name = name;
    run.tag = tag;
    run.start = this.points.count;
    run.rejected = 0;
    this.run = run;
  }

  /** Ends the run; one that neither has nor had points leaves no trace. */
  endRun(): void {
    const run = this.run as MutableRun;
    run.type = this.type;
    run.count = this.points.count - run.start;
    run.stamped = this.stamped;
    if (run.count > 0 || run.rejected > 0) this.runs.push(run);
    else this.runPool.push(run);
    this.run = undefined;
  }

  /** Adds a run of a tag whose points from `start` on are there, good ones of the tag's own type. */
  addRun(tag: TagRef, start: number): void {
    const run = this.runPool.pop() ?? newRun();
    run.name = tag.name;
    run.tag = tag;
    run.type = tag.type;
    run.start = start;
    run.count = this.points.count - start;
    run.rejected = 0;
    run.stamped = 0;
    this.runs.push(run);
  }

  /** Begins a point: the `index`-th of its array. */
  beginPoint(index: number): void {
    this.index = index;
    this.isFaulty = false;
    this.reserve();
  }

  /** Whether the point being built has a fault. */
  get pointIsFaulty(): boolean {
    return this.isFaulty;
  }

  /** A fault of the point being built; `key` is the faulty member, undefined for the point as a whole. */
  pointFault(key: string | undefined, message: string): void {
    this.isFaulty = true;
    this.faultCount++;
    if (this.faults.length >= MAX_FAULTS) return;
    this.faults.push({ path: this.runPath() + this.pointPath(key), message });
  }

  private pointPath(key: string | undefined): string {
    if (key === undefined) return `/${this.index}`;
    return this.form === 'columns' ? `/${key}/${this.index}` : `/${this.index}/${escapePointer(key)}`;
  }

  /** The run has something else in place of its points. */
  runFault(message: string): void {
    this.rejectRun(1);
    this.addFault(this.runPath(), message, 0);
  }

  /** The points of the run are columns. */
  beginColumns(): void {
    this.form = 'columns';
  }

  /** One of the run's columns is wrong as a whole; then all its points are to be rejected. */
  columnFault(key: string, message: string): void {
    this.addFault(`${this.runPath()}/${escapePointer(key)}`, message, 0);
  }

  /** Points of the run that cannot be read. */
  rejectRun(pointCount: number): void {
    (this.run as MutableRun).rejected += pointCount;
    this.rejected += pointCount;
  }

  /** A tag that cannot be, and the points that are lost with it. */
  nameFault(name: string, message: string, pointCount: number): void {
    this.addFault(`/${escapePointer(name)}`, message, pointCount);
  }

  private addFault(path: string, message: string, pointCount: number): void {
    this.faultCount++;
    this.rejected += pointCount;
    if (this.faults.length < MAX_FAULTS) this.faults.push({ path, message });
  }

  private runPath(): string {
    return this.place === 'body' ? '' : `/${escapePointer((this.run as MutableRun).name)}`;
  }

  /** Ends the point whose columns are filled in: keeps it, or leaves it out when it has a fault. */
  endPoint(): void {
    if (this.isFaulty) {
      this.rejected++;
      (this.run as MutableRun).rejected++;
      return;
    }
    this.points.count++;
  }

  /** The index of a text in the batch; the same text twice in a row is kept once. */
  textIndex(text: string): number {
    const { texts } = this.points;
    const last = texts.length - 1;
    if (last >= 0 && texts[last] === text) return last;
    return texts.push(text) - 1;
  }
}

function refusePoints(): never {
  const message = `The body has more than ${MAX_POINTS_IN_BODY} points; write them in several requests.`;
  throw new ProblemError(413, message);
}

function newRun(): MutableRun {
  return { name: '', tag: undefined, type: ValueType.Open, start: 0, count: 0, rejected: 0, stamped: 0 };
}

/** One step of a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
