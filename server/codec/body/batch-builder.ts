// Collects the points of one body into the columns of a batch, run by run, and the faults found on the way.
// Knows nothing of the body's format.

import {
  GOOD_QUALITY,
  NOT_PLAIN,
  type PointBatch,
  PointColumns,
  type TagRef,
  ValueType,
} from '../../../engine/index.ts';
import { ProblemError, type ProblemFault } from '../../problem.ts';
import { DECIMAL_POWERS, decimalsOf, mantissaOf, scaleUp } from '../scalars/plain-decimals.ts';
import { ColumnPool } from './column-pool.ts';
import { isPlainType, takesDecimals } from './plain-numbers.ts';
import { type MutableRun, newRun, RunPool } from './run-pool.ts';

/** Faults that are kept word for word; the rest is only counted. */
export const MAX_FAULTS = 100;

/** Points that one body may have, at 31 bytes each: as many as fill 64 MiB with a time and a value as doubles. */
export const MAX_POINTS_IN_BODY = 4_194_304;
/** Columns of so many points grow at once to what the body may need, because growing copies all points. */
const LEAP_POINTS = 262_144;
/** Fewest points after a leap: 33 MB, which the system clears as they are used. Less may be used memory, cleared in one go. */
const FRESH_POINTS = 1_090_000;
/** No point of a body takes less. */
const FEWEST_POINT_BYTES = 2;

const MS_PER_MINUTE = 60_000;
/** Offsets up to here keep 32 bits when up to 100 s are added: the time within a minute, or the last five digits of ms. */
const MOST_OFFSET = 2_147_483_647 - 100_000;
/** Instead of the offset of a time that plain points of the body cannot have. */
export const TOO_FAR = -2_147_483_648;

/** Place of a run's points in the body: in the member named like the tag, or as the body itself. */
export type RunLocation = 'member' | 'body';

/** What a body was read as. */
export interface ParsedBody {
  /** To be released with `release` once nobody uses it any more. */
  readonly batch: PointBatch;
  /** The first 100 faults. With `handling: 'strict'` the batch is empty as soon as there is one. */
  readonly faults: readonly ProblemFault[];
  readonly faultCount: number;
  /** Points left out because they were faulty, over all tags, those with impossible names included. */
  readonly rejected: number;
}

export class BatchBuilder {
  /** Columns of the batch being built; `points.count` is the index of the point being built. */
  points = new PointColumns(0);
  /** The halves of `points.bigints`, low half first. */
  words: Int32Array = new Int32Array(0);
  /** Type of the run being built; `Open` until its first value. */
  type: ValueType = ValueType.Open;
  stamped = 0;
  /** Decimals of the run being built while all of its points are plain (`PointRun.decimals`); NOT_PLAIN otherwise. */
  decimals = NOT_PLAIN;

  /** The first point of the run being built. */
  firstPoint = 0;
  /** Whether the columns have the base that offsets count from. */
  #hasBase = false;
  #mostPoints = 0;
  #run: MutableRun | undefined;
  /** Runs of the batch being built up to `#runCount`; the rest are of an earlier one, whose array it was. */
  #runs: MutableRun[] = [];
  #runCount = 0;
  #faults: ProblemFault[] = [];
  #faultCount = 0;
  #rejected = 0;
  /** Place of the run's points: under the tag's name, or as the whole body. */
  #location: RunLocation = 'body';
  /** The point being built in its array. */
  #index = 0;
  /** How the run's points are written, for the pointers to their faults. */
  #form: 'objects' | 'columns' = 'objects';
  #isFaulty = false;
  readonly #pool = new ColumnPool();
  readonly #runPool = new RunPool();
  readonly #leased = new Set<PointColumns>();

  /** @param bodyBytes size of the body, to estimate how many points it has */
  begin(bodyBytes: number): void {
    this.points = this.#pool.take(bodyBytes);
    this.#leased.add(this.points);
    this.#mostPoints = Math.min(MAX_POINTS_IN_BODY, Math.ceil(bodyBytes / FEWEST_POINT_BYTES));
    this.words = wordsOf(this.points);
    this.#hasBase = false;
    this.#run = undefined;
    this.#runs = this.#runPool.take(bodyBytes);
    this.#runCount = 0;
    this.#faults = [];
    this.#faultCount = 0;
    this.#rejected = 0;
  }

  finish(handling: 'strict' | 'lenient'): ParsedBody {
    const faults = this.#faults;
    const faultCount = this.#faultCount;
    const rejected = this.#rejected;
    const { points } = this;
    const isRefused = handling === 'strict' && faultCount > 0;
    if (isRefused) points.clear();
    const runs = isRefused ? [] : this.#takeRuns();
    return { batch: { points, runs, rejected }, faults, faultCount, rejected };
  }

  /** Reclaims the memory of a batch; does nothing for one that was released already. */
  release(batch: PointBatch): void {
    const { points, runs } = batch;
    if (!this.#leased.delete(points)) return;
    points.clear();
    this.#runPool.release(runs as MutableRun[]);
    this.#pool.release(points);
  }

  /** Drops the batch being built. */
  abandon(): void {
    this.release({ points: this.points, runs: this.#takeRuns() });
  }

  /** The runs of the batch, which are the builder's no more. */
  #takeRuns(): MutableRun[] {
    const runs = this.#runs;
    if (runs.length > this.#runCount) runs.length = this.#runCount;
    this.#runs = [];
    this.#runCount = 0;
    return runs;
  }

  /** The next run of the batch, to be written over. */
  #nextRun(): MutableRun {
    const i = this.#runCount++;
    if (i === this.#runs.length) this.#runs.push(newRun());
    return this.#runs[i] as MutableRun;
  }

  /** Makes room for one more point. */
  reserve(): void {
    this.reserveTo(this.points.count + 1);
  }

  /** Makes room for so many points. Throws 413 for more than a body may have. */
  reserveTo(count: number): void {
    const { points } = this;
    if (count <= points.capacity) return;
    if (count > MAX_POINTS_IN_BODY) refusePoints();
    points.reserve(points.capacity < LEAP_POINTS ? count : Math.max(count, this.#mostPoints, FRESH_POINTS));
    this.words = wordsOf(points);
  }

  /** Begins the points of a tag. */
  beginRun(name: string, tag: TagRef | undefined, location: RunLocation): void {
    this.beginPoints(tag?.type ?? ValueType.Open);
    this.stamped = 0;
    this.#location = location;
    this.#form = 'objects';
    this.#index = 0;
    const run = this.#nextRun();
    run.name = name;
    run.tag = tag;
    run.start = this.points.count;
    run.rejected = 0;
    this.#run = run;
  }

  /** Ends the run; one without points, accepted or rejected, is dropped. */
  endRun(): void {
    const run = this.#run as MutableRun;
    run.type = this.type;
    run.count = this.points.count - run.start;
    run.stamped = this.stamped;
    run.decimals = this.decimals;
    if (run.count === 0 && run.rejected === 0) this.#runCount--;
    this.#run = undefined;
  }

  /** Begins the points of a run of this type, which is not begun as a run if it is for `addRun`. */
  beginPoints(type: ValueType): void {
    this.type = type;
    this.firstPoint = this.points.count;
    this.decimals = isPlainType(type) ? 0 : NOT_PLAIN;
  }

  /** Adds a run of a tag whose points, plain ones of the tag's own type, are in the columns from `start` on. */
  addRun(tag: TagRef, start: number): void {
    const run = this.#nextRun();
    run.name = tag.name;
    run.tag = tag;
    run.type = this.type;
    run.start = start;
    run.count = this.points.count - start;
    run.rejected = 0;
    run.stamped = 0;
    run.decimals = this.decimals;
  }

  /** The offset of a time from the base of the body's plain points, in ms, or TOO_FAR. The first time sets the base. */
  offsetOf(ms: number): number {
    if (!this.#hasBase) {
      this.#hasBase = true;
      this.points.baseMs = Math.floor(ms / MS_PER_MINUTE) * MS_PER_MINUTE;
    }
    const offset = ms - this.points.baseMs;
    return Math.abs(offset) <= MOST_OFFSET ? offset | 0 : TOO_FAR;
  }

  /**
   * Gives mantissa `i`, read with so many decimals, and the mantissas before it in the run the same decimals; false, and
   * nothing has changed, when they would not fit 32 bits.
   */
  alignDecimals(i: number, decimals: number): boolean {
    if (decimals === this.decimals) return true;
    const { mantissas } = this.points;
    const power = DECIMAL_POWERS[Math.abs(decimals - this.decimals)] as number;
    if (decimals <= this.decimals) return scaleUp(mantissas, i, i + 1, power);
    if (!takesDecimals(this.type) || !scaleUp(mantissas, this.firstPoint, i, power)) return false;
    this.decimals = decimals;
    return true;
  }

  /** Turns the run being built into a general one. */
  makeGeneral(): void {
    if (this.decimals === NOT_PLAIN) return;
    this.points.spread(this.firstPoint, this.points.count, this.decimals);
    this.decimals = NOT_PLAIN;
  }

  /** Begins a point: the `index`-th of its array. */
  beginPoint(index: number): void {
    this.#index = index;
    this.#isFaulty = false;
    this.reserve();
  }

  /** Whether the point being built has a fault. */
  get pointIsFaulty(): boolean {
    return this.#isFaulty;
  }

  /** A fault of the point being built; `key` is the faulty member, undefined for the point as a whole. */
  pointFault(key: string | undefined, message: string): void {
    this.#isFaulty = true;
    this.#faultCount++;
    if (this.#faults.length >= MAX_FAULTS) return;
    this.#faults.push({ path: this.#runPath() + this.#pointPath(key), message });
  }

  #pointPath(key: string | undefined): string {
    if (key === undefined) return `/${this.#index}`;
    return this.#form === 'columns' ? `/${key}/${this.#index}` : `/${this.#index}/${escapePointer(key)}`;
  }

  /** The run has something else instead of points. */
  runFault(message: string): void {
    this.rejectRun(1);
    this.#addFault(this.#runPath(), message, 0);
  }

  /** The points of the run are columns. */
  beginColumns(): void {
    this.#form = 'columns';
  }

  /** One of the run's columns is wrong as a whole; then all its points are to be rejected. */
  columnFault(key: string, message: string): void {
    this.#addFault(`${this.#runPath()}/${escapePointer(key)}`, message, 0);
  }

  /** Points of the run that cannot be read. */
  rejectRun(pointCount: number): void {
    (this.#run as MutableRun).rejected += pointCount;
    this.#rejected += pointCount;
  }

  /** A tag that cannot be, and the points that are lost with it. */
  nameFault(name: string, message: string, pointCount: number): void {
    this.#addFault(`/${escapePointer(name)}`, message, pointCount);
  }

  #addFault(path: string, message: string, pointCount: number): void {
    this.#faultCount++;
    this.#rejected += pointCount;
    if (this.#faults.length < MAX_FAULTS) this.#faults.push({ path, message });
  }

  #runPath(): string {
    return this.#location === 'body' ? '' : `/${escapePointer((this.#run as MutableRun).name)}`;
  }

  /** Ends the point whose general columns are filled in: keeps it, or leaves it out when it has a fault. */
  endPoint(): void {
    if (this.#isFaulty) {
      this.#rejected++;
      (this.#run as MutableRun).rejected++;
      return;
    }
    this.keepPoint();
  }

  /** Keeps the point after the last one, whose general columns are filled in, as a plain one if it can be. */
  keepPoint(): void {
    if (this.decimals !== NOT_PLAIN && !this.#makePlain()) this.makeGeneral();
    this.points.count++;
  }

  /** The same when the point's mantissa is there already, written with so many decimals. */
  keepDecimal(decimals: number): void {
    const isPlain = this.decimals !== NOT_PLAIN && this.#setOffset() && this.alignDecimals(this.points.count, decimals);
    if (!isPlain) this.makeGeneral();
    this.points.count++;
  }

  #makePlain(): boolean {
    const { count, numbers } = this.points;
    return this.#setOffset() && this.setMantissa(count, numbers[count] as number);
  }

  /** Sets the offset of the point after the last one; false when it cannot be plain, whatever its number is. */
  #setOffset(): boolean {
    const { count, timesMs, offsets, ticks, nulls, qualities } = this.points;
    if (ticks[count] !== 0 || nulls[count] !== 0 || qualities[count] !== GOOD_QUALITY) return false;
    if (!isPlainType(this.type)) return false; // the run's first value has just given it its type
    const offset = this.offsetOf(timesMs[count] as number);
    offsets[count] = offset;
    return offset !== TOO_FAR;
  }

  /** Sets mantissa `i` of the run; false when the value, or an earlier one of the run, has no mantissa of 32 bits then. */
  setMantissa(i: number, value: number): boolean {
    const decimals = decimalsOf(value, this.decimals);
    if (decimals === NOT_PLAIN || (decimals !== this.decimals && !this.alignDecimals(i, decimals))) return false;
    this.points.mantissas[i] = mantissaOf(value, DECIMAL_POWERS[decimals] as number);
    return true;
  }
}

function wordsOf({ bigints }: PointColumns): Int32Array {
  return new Int32Array(bigints.buffer, bigints.byteOffset, 2 * bigints.length);
}

function refusePoints(): never {
  const message = `The body has more than ${MAX_POINTS_IN_BODY} points; write them in several requests.`;
  throw new ProblemError(413, message);
}

/** One step of a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
