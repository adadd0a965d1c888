// Points of one connection on their way to the buffer, tag by tag in order: what is recovered first, what came meanwhile behind it,
// then everything as it comes.

import type { DataValue } from 'node-opcua-client';
import type { ExceptionRules } from '../exception-filter.ts';
import type { TagTimes } from '../newest-times.ts';
import { compareTimes, type Instant, type NamedPoint, nextInstant, type SourcePoint } from '../point.ts';
import { type HoleState, markAt, TagStream } from '../tag-stream.ts';
import { isAfterOverflow, toPoint } from './data-value.ts';
import type { DescribedNode, Variable } from './nodes/found-node.ts';

const MOST_WAITING = 200_000;

export interface FlowOptions {
  /** Names of the types of variants, by their numbers. */
  readonly typeNames: Readonly<Record<number, string>>;
  readonly store: (points: readonly NamedPoint[]) => void;
}

export class PointFlow {
  readonly #options: FlowOptions;
  readonly #streams = new Map<string, TagStream>();
  /** Tags whose past is being recovered. */
  readonly #catchingUp = new Set<string>();
  #waiting: NamedPoint[] = [];
  #isWaitingFull = false;
  #overflowedCount = 0;

  constructor(options: FlowOptions) {
    this.#options = options;
  }

  get filteredCount(): number {
    return [...this.#streams.values()].reduce((sum, stream) => sum + stream.filteredCount, 0);
  }

  /** Values before which the server's queue had lost others. */
  get overflowedCount(): number {
    return this.#overflowedCount;
  }

  add(node: DescribedNode, times: TagTimes | undefined): void {
    this.#streams.set(node.tag, new TagStream(rulesOf(node), times));
  }

  /** From now on values of these wait until `settle`. */
  catchUpWith(variables: readonly Variable[]): void {
    for (const { nodes } of variables) for (const { tag } of nodes) this.#catchingUp.add(tag);
  }

  /** Time of the point of a variable that came last, the earliest one of its parts; undefined where there is none. */
  lastMs({ nodes }: Variable): number | undefined {
    const times = nodes.flatMap(({ tag }) => this.#streams.get(tag)?.last?.timeMs ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** A value of a subscription. */
  takeLive(variable: Variable, value: DataValue): void {
    const isAfterHole = isAfterOverflow(value);
    if (isAfterHole) this.#overflowedCount++;
    this.#each(variable, value, (node, point) => {
      const stream = this.#streams.get(node.tag);
      if (!this.#catchingUp.has(node.tag))
        return (isAfterHole ? stream?.takeAfterHole(point) : stream?.takeLive(point)) ?? [];
      if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ tag: node.tag, point });
      else this.#isWaitingFull = true;
      return [];
    });
  }

  /** A value of the past, in the order of time; gives the number of new points. */
  takeEarlier(variable: Variable, value: DataValue): number {
    return this.#each(variable, value, ({ tag }, point) => this.#streams.get(tag)?.take(point) ?? []);
  }

  /** A value of a time that was thought to be stored; gives the number of points. The exception rules let it pass. */
  takeMissed(variable: Variable, value: DataValue, until: Instant): number {
    return this.#each(variable, value, (_node, point) => (compareTimes(point, until) <= 0 ? [point] : []));
  }

  /** Something is missing before that point. */
  markMissed({ nodes }: Variable, until: Instant): void {
    for (const { tag } of nodes) this.#store(tag, [markAt(nextInstant(until))]);
  }

  /** A value that the server has kept for an earlier connection; gives the number of points. */
  takeKept(variable: Variable, value: DataValue): number {
    const isAfterHole = isAfterOverflow(value);
    return this.#each(variable, value, ({ tag }, point) => {
      const stream = this.#streams.get(tag);
      return (isAfterHole ? stream?.takeAfterHole(point) : stream?.takeLive(point)) ?? [];
    });
  }

  /** Nothing is missing between the last stored point and the next one; `by history`: unless the clock was set back between. */
  fillHole({ nodes }: Variable, state: Exclude<HoleState, 'open'>): void {
    for (const { tag } of nodes) this.#streams.get(tag)?.fillHole(state);
  }

  openHole({ nodes }: Variable): void {
    for (const { tag } of nodes) this.#streams.get(tag)?.openHole();
  }

  /** Begins to recover: gives false where all that waited was kept since the last time. */
  restart(): boolean {
    const wasFull = this.#isWaitingFull;
    this.#isWaitingFull = false;
    if (wasFull) this.#waiting = [];
    return wasFull;
  }

  /** The past of all is recovered as far as it can be. */
  settle(): void {
    this.#catchingUp.clear();
    this.#release();
  }

  settleSome(variables: Iterable<Variable>): void {
    for (const { nodes } of variables) for (const { tag } of nodes) this.#catchingUp.delete(tag);
    this.#release();
  }

  /** The end. Values that wait for a past that is not recovered are left: the next connection recovers both. */
  close(): void {
    this.#waiting = [];
    for (const [tag, stream] of this.#streams) this.#store(tag, stream.flush());
  }

  /** Gives out what waits for nothing more. */
  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ tag }) => this.#catchingUp.has(tag));
    for (const { tag, point } of waiting)
      if (!this.#catchingUp.has(tag)) this.#store(tag, this.#streams.get(tag)?.takeWaiting(point) ?? []);
  }

  #each(
    variable: Variable,
    value: DataValue,
    take: (node: DescribedNode, point: SourcePoint) => readonly SourcePoint[],
  ): number {
    let count = 0;
    for (const node of variable.nodes) {
      const point = toPoint(value, this.#options.typeNames, node.part);
      if (point === undefined) continue;
      const points = take(node, point);
      this.#store(node.tag, points);
      count += points.length;
    }
    return count;
  }

  #store(tag: string, points: readonly SourcePoint[]): void {
    if (points.length > 0) this.#options.store(points.map((point) => ({ tag, point })));
  }
}

/** A deadband in percent is that of the variable's range; where it has none, every value is stored. */
function rulesOf({ selection, span }: DescribedNode): ExceptionRules | undefined {
  const { deadband } = selection;
  if (deadband === undefined) return undefined;
  const { kind, value, shortestMs, longestMs } = deadband;
  if (kind === 'absolute') return { deadband: value, shortestMs, longestMs };
  return span === undefined ? undefined : { deadband: (span * value) / 100, shortestMs, longestMs };
}
