// A point on its way from a source to a dataset, and its text: the time exact to 100 ns.

export interface SourcePoint {
  /** Whole milliseconds since 1970. */
  readonly timeMs: number;
  /** Units of 100 ns behind the whole millisecond: 0 to 9,999. */
  readonly ticks: number;
  /** A JSON text. */
  readonly json: string;
  /** The value where it is a finite number. */
  readonly number: number | undefined;
  readonly quality: number;
}

export interface NamedPoint {
  readonly tag: string;
  readonly point: SourcePoint;
}

const TICKS_PER_MS = 10_000;

/** A time exact to 100 ns. */
export type Instant = Pick<SourcePoint, 'timeMs' | 'ticks'>;

/** Negative where `a` is earlier than `b`. */
export function compareTimes(a: Instant, b: Instant): number {
  return a.timeMs - b.timeMs || a.ticks - b.ticks;
}

/** The next instant that a dataset can tell from this one. */
export function nextInstant({ timeMs, ticks }: Instant): Instant {
  return ticks + 1 < TICKS_PER_MS ? { timeMs, ticks: ticks + 1 } : { timeMs: timeMs + 1, ticks: 0 };
}

/** The last instant before it that a dataset can tell from it. */
export function previousInstant({ timeMs, ticks }: Instant): Instant {
  return ticks > 0 ? { timeMs, ticks: ticks - 1 } : { timeMs: timeMs - 1, ticks: TICKS_PER_MS - 1 };
}

export function formatInstant({ timeMs, ticks }: Instant): string {
  const iso = new Date(timeMs).toISOString();
  return ticks === 0 ? iso : `${iso.slice(0, -1)}${String(ticks).padStart(4, '0')}Z`;
}

/** Undefined for a text that is none of `formatInstant`. */
export function parseInstant(text: string): Instant | undefined {
  const [, upToMs, ticks = '0'] = /^(.{19,22}\.\d{3})(\d{4})?Z$/.exec(text) ?? [];
  const timeMs = Date.parse(`${upToMs}Z`);
  return Number.isNaN(timeMs) ? undefined : { timeMs, ticks: Number(ticks) };
}

/** The body of one write: an object of tag names to TVQ arrays, in the order in which the points came. */
export function formatBody(points: readonly NamedPoint[]): string {
  const byTag = new Map<string, string[]>();
  for (const { tag, point } of points) {
    const text = `{"t":"${formatInstant(point)}","v":${point.json},"q":${point.quality}}`;
    const list = byTag.get(tag);
    if (list === undefined) byTag.set(tag, [text]);
    else list.push(text);
  }
  return `{${[...byTag].map(([tag, list]) => `${JSON.stringify(tag)}:[${list.join(',')}]`).join(',')}}`;
}
