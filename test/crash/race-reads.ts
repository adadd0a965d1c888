// Reads that are held open while everything else goes on, one chunk at a time, and the judgement of what they gave.

import { type Engine, EngineError, type Instant, type ReadMarker, type ReadRequest } from '../../engine/index.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import type { Moments, RaceHistory, RacePoint, ReadSpan } from './race-history.ts';

export interface ReadScene {
  readonly engine: Engine;
  readonly dataset: string;
  readonly history: RaceHistory;
  readonly moments: Moments;
  readonly bySerial: ReadonlyMap<number, RacePoint>;
}

/** What a read of one tag is to be held against. */
interface Asked {
  readonly tag: string;
  readonly kind: 'range' | 'carry-in' | 'point' | 'intervals';
  readonly startMs: number;
  readonly endMs: number;
}

type Given = RacePoint[];

const NO_LIMIT = { carryIn: false, skipMissing: false, limit: undefined, after: [] };
const MOST_PAGES = 1000;

/** Draws a read and gives a turn to others before each cursor and behind each chunk. Throws what the read did wrong. */
export function drawRead(scene: ReadScene, random: SeededRandom, tags: readonly string[]): AsyncGenerator<void> {
  const startMs = drawTime(scene.history, random);
  const endMs = random.chance(0.5) ? Number.POSITIVE_INFINITY : Math.max(startMs, drawTime(scene.history, random));
  const tag = random.pick(tags);
  const asked = { tag, startMs, endMs };
  const choice = random.unit();
  if (choice < 0.35) return readTags(scene, tags, { ...asked, kind: random.pick(['range', 'carry-in']) });
  if (choice < 0.6) return readPages(scene, { ...asked, kind: 'range' }, random.pick([1, 7, 40]));
  if (choice < 0.75) return readTags(scene, tags, { ...asked, kind: 'intervals' });
  const atMs = random.chance(0.5) ? Number.POSITIVE_INFINITY : startMs;
  return readTags(scene, tags, { ...asked, kind: 'point', endMs: atMs });
}

/** All points of a tag, in one go. */
export async function readAll(scene: ReadScene, tag: string): Promise<void> {
  const asked = { tag, kind: 'range', startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY } as const;
  for await (const _ of readTags(scene, [tag], asked)) void _;
}

function drawTime({ points }: RaceHistory, random: SeededRandom): number {
  const own = [...points.values()].flat();
  if (own.length === 0 || random.chance(0.2)) return Number.NEGATIVE_INFINITY;
  return random.pick(own).ms + random.between(-1, 1);
}

function instant(ms: number): Instant {
  return { ms: Math.min(Math.max(ms, -6e13), 2.5e14), ticks: 0 };
}

function requestOf({ kind, startMs, endMs }: Asked, tags: readonly string[]): ReadRequest {
  if (kind === 'point' && endMs === Number.POSITIVE_INFINITY) return { ...NO_LIMIT, tags, range: { kind: 'newest' } };
  if (kind === 'point') return { ...NO_LIMIT, tags, range: { kind: 'at', end: instant(endMs) } };
  const range = { kind: 'range', start: instant(startMs), end: instant(endMs) } as const;
  const intervals = kind === 'intervals' ? { intervals: 5 } : {};
  return { ...NO_LIMIT, ...intervals, tags, range, carryIn: kind === 'carry-in' };
}

/** One request for several tags: its cursors are opened one by one, as the server does. */
async function* readTags(
  scene: ReadScene,
  tags: readonly string[],
  asked: Omit<Asked, 'tag'>,
): AsyncGenerator<void, void> {
  const { engine, dataset, moments, history } = scene;
  const called = moments.next();
  const leastMs = history.purgeLeastMs;
  let result: ReturnType<Engine['read']>;
  try {
    result = engine.read(dataset, requestOf({ ...asked, tag: '' }, tags));
  } catch (error) {
    return judgeRefusal(scene, error, tags);
  }
  if (history.isSurelyAbsent(called, called)) throw new Error(`read of ${dataset}, which was deleted, was not refused`);
  for (let i = 0; i < tags.length; i++) {
    yield;
    const read = { called, opened: moments.next(), ended: Number.POSITIVE_INFINITY };
    const tag = tags[i] as string;
    const answer = yield* drain(scene, tag, () => result.open(i), read);
    if (answer === 'gone') return;
    if (history.isMixed(tag, answer.given))
      throw new Error(`a read of ${dataset}/${tag} (moments ${read.called} to ${read.ended}) gave points of two lives`);
    judge(scene, { ...asked, tag }, answer, read, leastMs);
  }
}

/**
 * A limited read: each page is a request of its own that begins behind the last one. Markers do not know the dataset: when
 * it was deleted and made anew in between, the pages behind are of the new one.
 */
async function* readPages(scene: ReadScene, asked: Asked, limit: number): AsyncGenerator<void, void> {
  const { engine, dataset, moments, history } = scene;
  const whole = { called: 0, opened: 0, ended: Number.POSITIVE_INFINITY };
  const given: Given = [];
  const leastMs = history.purgeLeastMs;
  let marker: ReadMarker | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const called = moments.next();
    if (page === 0) whole.called = called;
    whole.opened = called;
    const after = marker === undefined ? [] : [marker];
    let result: ReturnType<Engine['read']>;
    try {
      result = engine.read(dataset, { ...requestOf(asked, [asked.tag]), limit, after });
    } catch (error) {
      const isStale = error instanceof EngineError && error.code === 'BAD_REQUEST' && page > 0;
      if (isStale && !history.hasTagSurely(asked.tag, whole.called, called)) return;
      return judgeRefusal(scene, error, [asked.tag]);
    }
    const read = { called, opened: called, ended: Number.POSITIVE_INFINITY };
    const answer = yield* drain(scene, asked.tag, () => result.open(0), read);
    if (answer === 'gone') return;
    if (answer.given.length > limit) throw new Error(`${answer.given.length} points at a limit of ${limit}`);
    given.push(...answer.given);
    whole.ended = read.ended;
    marker = answer.marker;
    if (marker === undefined) return judge(scene, asked, { given, reducedFrom: undefined }, whole, leastMs);
    yield;
  }
  throw new Error(`a limited read of ${asked.tag} did not end within ${MOST_PAGES} pages`);
}

interface Answer {
  readonly given: Given;
  readonly reducedFrom: number | undefined;
  readonly marker?: ReadMarker | undefined;
}

/** Reads a cursor to its end. `gone`: it ended with the declared error, for its dataset was deleted. */
async function* drain(
  scene: ReadScene,
  tag: string,
  open: () => ReturnType<ReturnType<Engine['read']>['open']>,
  read: ReadSpan,
): AsyncGenerator<void, Answer | 'gone'> {
  const { history, moments, dataset } = scene;
  let cursor: ReturnType<typeof open> | undefined;
  const given: Given = [];
  try {
    cursor = open();
    for (let chunk = await cursor.next(); chunk; chunk = await cursor.next()) {
      read.ended = moments.next();
      for (let i = chunk.start; i < chunk.end; i++) {
        const { numbers, timesMs, nulls } = chunk.points;
        given.push(known(scene, tag, nulls[i] ? Number.NaN : (numbers[i] as number), timesMs[i] as number, read));
      }
      yield;
    }
    read.ended = moments.next();
    const { gaps, reducedFrom, marker } = cursor.outcome();
    const [gap] = gaps;
    // A tag that was cut back into what purge has taken may show the last points before that, and then a gap.
    const mayBeGap = history.deletePointsOfTags.has(tag) && history.purgeMostMs > Number.NEGATIVE_INFINITY;
    if (gap && !mayBeGap) throw new Error(`read of ${dataset}/${tag} says that ${gap.points} points are lost`);
    return { given, reducedFrom, marker };
  } catch (error) {
    const isDeclared = error instanceof EngineError && error.code === 'DATASET_NOT_FOUND';
    if (isDeclared && !history.isSurelyThere(read.called, moments.next())) return 'gone';
    throw error;
  } finally {
    cursor?.close();
  }
}

/** The point that was written with a value; throws when there is none, or when it must not show. */
function known(scene: ReadScene, tag: string, serial: number, ms: number, read: ReadSpan): RacePoint {
  const point = scene.bySerial.get(serial);
  const what = `read of ${scene.dataset}/${tag} gave ${serial} at ${ms}`;
  if (!point || point.tag !== tag || point.ms !== ms) throw new Error(`${what}, which was never written there`);
  const why = (scene.history.points.get(tag) ?? []).includes(point)
    ? scene.history.whyForbidden(point, read)
    : 'it belongs to another dataset';
  if (why !== undefined) throw new Error(`${what}: ${why}`);
  return point;
}

function judgeRefusal({ history, moments, dataset }: ReadScene, error: unknown, tags: readonly string[]): void {
  const code = error instanceof EngineError ? error.code : undefined;
  const now = moments.next();
  if (code === 'DATASET_NOT_FOUND' && !history.isSurelyThere(now, now)) return;
  if (code === 'TAG_NOT_FOUND' && !tags.every((tag) => history.hasTagSurely(tag, now, now))) return;
  throw new Error(`read of ${dataset} was refused: ${String(error)}`, { cause: error });
}

function judge(scene: ReadScene, asked: Asked, answer: Answer, read: ReadSpan, leastMs: number): void {
  const { given } = answer;
  const { history, dataset } = scene;
  const what = `${asked.kind} read of ${dataset}/${asked.tag} (moments ${read.called} to ${read.ended})`;
  for (let i = 1; i < given.length; i++) {
    const [before, point] = [given[i - 1] as RacePoint, given[i] as RacePoint];
    // Pages may lie on both sides of a cut, behind which writing began at an earlier time.
    const isBetweenCut = (history.cuts.get(asked.tag) ?? []).some(
      (cut) => before.ms >= cut.fromMs && cut.end > read.called && cut.start < read.ended,
    );
    if (compare(before, point) >= 0 && !isBetweenCut)
      throw new Error(`${what} gave ${point.serial} behind ${before.serial}`);
  }
  const required = history.required(asked.tag, read).sort(compare);
  const [first] = given;
  // A cut may take the point that purge has kept; then an older one is the newest, if its file is still there.
  const isCut = history.deletePointsOfTags.has(asked.tag);
  const kept = first && !isCut && required.find(({ ms }) => ms > first.ms && ms <= leastMs);
  if (kept) throw new Error(`${what} gave ${first.serial}, which was purged: ${kept.serial} is newer than it`);
  judgeRange(what, asked, given, asked.kind === 'carry-in' ? asked.startMs : undefined);
  if (asked.kind === 'point' || asked.kind === 'carry-in') judgeInForce(what, history, asked, first, required);
  if (asked.kind !== 'point') judgeWhole(what, history, asked, answer, required);
}

function judgeRange(what: string, { kind, startMs, endMs }: Asked, given: Given, carryMs: number | undefined): void {
  for (const [i, { ms, serial }] of given.entries()) {
    const isCarried = i === 0 && (carryMs !== undefined || kind === 'point');
    if (ms > endMs || (ms < startMs && !isCarried)) throw new Error(`${what} gave ${serial}, outside its range`);
  }
}

/** The newest point at or before a time must be the first one: that of a value at a time, or the one carried in. */
function judgeInForce(
  what: string,
  { purgeMostMs, deletePointsOfTags: cutTags }: RaceHistory,
  { tag, kind, startMs, endMs }: Asked,
  first: RacePoint | undefined,
  required: readonly RacePoint[],
): void {
  const atMs = kind === 'point' ? endMs : startMs;
  const inForce = required.findLast(({ ms }) => ms <= atMs);
  if (!inForce || atMs < purgeMostMs) return;
  // Purge has kept the newest point of then, and a cut may have taken that one since.
  if (inForce.ms < purgeMostMs && cutTags.has(tag)) return;
  // Points at the start are all in the range.
  const isOlder = first && (kind === 'point' ? compare(first, inForce) < 0 : first.ms < inForce.ms);
  if (!first || first.ms > atMs || isOlder)
    throw new Error(`${what} gave ${first?.serial ?? 'nothing'} for the point in force, want ${inForce.serial}`);
}

/** Everything that must be there is, as far as no purge may have taken it. */
function judgeWhole(
  what: string,
  { purgeMostMs }: RaceHistory,
  { kind, startMs, endMs }: Asked,
  { given, reducedFrom }: Answer,
  required: readonly RacePoint[],
): void {
  const wanted = required.filter(({ ms }) => ms >= Math.max(startMs, purgeMostMs) && ms <= endMs);
  if (kind !== 'intervals') {
    const found = new Set(given);
    const missing = wanted.filter((point) => !found.has(point));
    if (missing.length > 0)
      throw new Error(`${what} lacks ${missing[0]?.serial} (${missing.length} of ${wanted.length})`);
    return;
  }
  const [first, last] = [wanted[0], wanted.at(-1)];
  if (!first || !last) return;
  if (given.length === 0 || compare(given[0] as RacePoint, first) > 0 || compare(given.at(-1) as RacePoint, last) < 0)
    throw new Error(`${what} lacks its first or last point, ${first.serial} or ${last.serial}`);
  if ((reducedFrom ?? 0) < wanted.length) throw new Error(`${what} counts ${reducedFrom}, want ${wanted.length}`);
}

function compare(a: RacePoint, b: RacePoint): number {
  return a.ms - b.ms || a.serial - b.serial;
}
