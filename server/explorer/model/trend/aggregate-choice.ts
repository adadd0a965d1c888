// What a line can be made of instead of points: a function of the server over intervals of equal length.

export interface AggregateChoice {
  readonly fn: AggregateName;
  /** Undefined: by the window. */
  readonly intervalMs: number | undefined;
}

/** The function, and how the page calls what it gives. */
const WORDS = {
  TimeAverage2: 'average',
  Minimum2: 'minimum',
  Maximum2: 'maximum',
  Range2: 'range',
  StandardDeviationSample: 'deviation',
  Count: 'count',
  PercentGood: 'percent good',
} as const;

export type AggregateName = keyof typeof WORDS;

/** Whether it is of the points in an interval alone, and knows nothing of the time between them. */
export function countsPoints({ fn }: AggregateChoice): boolean {
  return fn === 'Count' || fn === 'StandardDeviationSample';
}
export const AGGREGATES = Object.entries(WORDS) as [AggregateName, string][];

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Intervals as links and lists have them, shortest first. */
export const INTERVALS: readonly (readonly [text: string, ms: number])[] = [
  ...[1, 2, 5, 10, 15, 30].map((n) => [`${n} s`, n * SECOND_MS] as const),
  ...[1, 2, 5, 10, 15, 30].map((n) => [`${n} min`, n * MINUTE_MS] as const),
  ...[1, 2, 3, 6, 12].map((n) => [`${n} h`, n * HOUR_MS] as const),
  ['1 d', 24 * HOUR_MS],
  ['2 d', 48 * HOUR_MS],
  ['1 w', 168 * HOUR_MS],
];

/** How earlier versions of the page called them in links. */
const FORMER_INTERVALS: ReadonlyMap<string, string> = new Map([
  ['24 h', '1 d'],
  ['48 h', '2 d'],
  ['168 h', '1 w'],
]);

/** About so many intervals are in a window when their length goes by it. */
const WANTED_INTERVALS = 200;
/** Shorter intervals than asked for would make more results than a chart has pixels. */
const MOST_INTERVALS = 4000;

/** The length of the intervals over a window: as chosen, unless they would be too many. */
export function intervalOf({ intervalMs }: AggregateChoice, windowMs: number): number {
  const fits = (least: number): number =>
    INTERVALS.find(([, ms]) => ms >= least)?.[1] ?? (INTERVALS.at(-1) as readonly [string, number])[1];
  if (intervalMs === undefined) return fits(windowMs / WANTED_INTERVALS);
  return Math.max(intervalMs, windowMs > intervalMs * MOST_INTERVALS ? fits(windowMs / MOST_INTERVALS) : 0);
}

/** Such as `average of 30 s`. */
export function describeAggregate({ fn }: AggregateChoice, intervalMs: number): string {
  return `${WORDS[fn]} of ${describeInterval(intervalMs)}`;
}

export function describeInterval(intervalMs: number): string {
  return INTERVALS.find(([, ms]) => ms === intervalMs)?.[0] ?? `${intervalMs / SECOND_MS} s`;
}

/** Whether the results have another unit than the points. */
export function isOwnUnit({ fn }: AggregateChoice): boolean {
  return fn === 'Count' || fn === 'PercentGood';
}

/** In a link: `TimeAverage2`, `TimeAverage2 30 s`. */
export function formatAggregate({ fn, intervalMs }: AggregateChoice): string {
  const text = INTERVALS.find(([, ms]) => ms === intervalMs)?.[0];
  return text === undefined ? fn : `${fn} ${text}`;
}

/** Undefined for what is none. */
export function parseAggregate(text: string): AggregateChoice | undefined {
  const [name = '', ...rest] = text.split(' ');
  const fn = AGGREGATES.find(([known]) => known === name)?.[0];
  if (fn === undefined) return undefined;
  const interval = FORMER_INTERVALS.get(rest.join(' ')) ?? rest.join(' ');
  return { fn, intervalMs: INTERVALS.find(([known]) => known === interval)?.[1] };
}
