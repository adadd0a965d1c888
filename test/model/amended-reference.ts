// What purge, late points, corrections and removals must come to together, in plain words: lists of points, and what hides
// them. Nothing here knows of ordinals, files or catalogs.

const DAY_MS = 86_400_000;

export interface ModelPoint {
  readonly ms: number;
  /** Unlike that of any other point of its tag. */
  readonly value: number | string;
}

interface StoredPoint extends ModelPoint {
  /** When it came, among everything that came. */
  readonly at: number;
  /** Purged by a rule that was lifted since. */
  isGone: boolean;
  /** A rule that was lifted since had hidden it without a point of its tag in time behind it: it may be freed or not. */
  isUncertain: boolean;
}

export interface ModelCorrection {
  readonly id: number;
  readonly kind: 'delete' | 'replace' | 'insert';
  readonly startMs: number;
  readonly endMs: number;
  readonly points: readonly ModelPoint[];
}

interface MadeCorrection extends Omit<ModelCorrection, 'points'> {
  readonly at: number;
  given: StoredPoint[];
  isUndone: boolean;
}

interface ModelTag {
  /** Type by its name in the API: what is written now must fit it. Stored points are as they were written. */
  type: string;
  /** Points that came in time, in order, those that purge hides among them. */
  inTime: StoredPoint[];
  late: StoredPoint[];
  corrections: MadeCorrection[];
  /** The time of the first point that a lifted rule has left. */
  leftMs: number;
}

export interface ModelCounts {
  readonly written: number;
  readonly expired: number;
  readonly ignored: number;
}

/** What a read may give: points that it must, and others that it may. */
export interface Readable {
  readonly certain: readonly ModelPoint[];
  readonly uncertain: readonly ModelPoint[];
}

/** Whether a correction must be taken; `either` where points that may have come back are all that there is to correct. */
export type Judgement = 'taken' | 'refused' | 'either';

/** Changes that come meanwhile, at most. */
const MOST_PAST_RULES = 8;
const FIRST_TYPE = 'System.Double';

/** `moves-on` is what the engine once did: the first point left was the first that is still stored. */
export type FirstLeft = 'stays' | 'moves-on';

export class AmendedReference {
  readonly tags = new Map<string, ModelTag>();
  readonly #firstLeft: FirstLeft;
  #ageDays = 0;
  #takesLate = true;
  /** Up to here the rule in force hides all but the newest of each tag. */
  #cutoffMs = Number.NEGATIVE_INFINITY;
  /** No correction from here on was ever forgotten. */
  #latestCutoffMs = Number.NEGATIVE_INFINITY;
  /** What the rule counts from. */
  #newestMs = Number.NEGATIVE_INFINITY;
  /** Cutoffs that the rule set lately, above the one in force, oldest first: what purge has found takes a while to be in force. */
  #pastRules: readonly number[] = [];
  #count = 0;

  constructor(firstLeft: FirstLeft = 'stays') {
    this.#firstLeft = firstLeft;
  }

  clone(): AmendedReference {
    const copy = new AmendedReference(this.#firstLeft);
    for (const [name, tag] of this.tags) copy.tags.set(name, cloneTag(tag));
    copy.#ageDays = this.#ageDays;
    copy.#takesLate = this.#takesLate;
    copy.#cutoffMs = this.#cutoffMs;
    copy.#latestCutoffMs = this.#latestCutoffMs;
    copy.#newestMs = this.#newestMs;
    copy.#pastRules = this.#pastRules;
    copy.#count = this.#count;
    return copy;
  }

  /** Equal for two that have come from one by different ways and are the same now. */
  fingerprint(): string {
    const tags = [...this.tags].map(([name, tag]) => `${name} ${describeTag(tag)}`);
    const rules = [this.#ageDays, this.#takesLate, this.#cutoffMs, this.#latestCutoffMs, ...this.#pastRules];
    const own = [...rules, this.#newestMs];
    return [...own, ...tags].join('; ');
  }

  get rules(): { readonly ageDays: number; readonly takesLate: boolean } {
    return { ageDays: this.#ageDays, takesLate: this.#takesLate };
  }

  /** Undefined where there is no such tag. */
  typeOf(name: string): string | undefined {
    return this.tags.get(name)?.type;
  }

  newestInTimeMs(name: string): number {
    return this.tags.get(name)?.inTime.at(-1)?.ms ?? Number.NEGATIVE_INFINITY;
  }

  /** Points in time order, of times that no other point has. */
  write(name: string, points: readonly ModelPoint[], nowMs: number): ModelCounts {
    const tag = this.#tag(name);
    const newestMs = this.newestInTimeMs(name);
    const expiryMs = Math.max(this.#cutoffMs, this.#ruleMs(nowMs));
    const leftMs = this.#leftMs(tag);
    const behind = points.filter(({ ms }) => ms < newestMs);
    const late = this.#takesLate ? behind.filter(({ ms }) => ms > expiryMs && ms >= leftMs) : [];
    const fresh = points.filter(({ ms }) => ms >= newestMs);
    const lastExpired = fresh.findLast(({ ms }) => ms <= expiryMs);
    const inTime = fresh.filter((point) => point.ms > expiryMs || point === lastExpired);
    tag.late.push(...late.map((point) => this.#stored(point)));
    tag.inTime.push(...inTime.map((point) => this.#stored(point)));
    if (inTime.length > 0) this.tags.set(name, tag);
    const ruleMs = this.#ruleMs(Number.POSITIVE_INFINITY);
    for (const { ms } of inTime) this.#newestMs = Math.max(this.#newestMs, ms);
    if (ruleMs > this.#cutoffMs && ruleMs < this.#ruleMs(Number.POSITIVE_INFINITY))
      this.#pastRules = [...this.#pastRules, ruleMs].slice(-MOST_PAST_RULES);
    const written = late.length + inTime.length;
    const ignored = this.#takesLate ? 0 : behind.length;
    return { written, expired: points.length - written - ignored, ignored };
  }

  /** Creates the tag, or gives it another type. */
  define(name: string, type: string): void {
    const tag = this.#tag(name);
    tag.type = type;
    this.tags.set(name, tag);
  }

  setRules(ageDays: number, takesLate: boolean): void {
    if (this.#isLaxer(ageDays)) this.#lift();
    this.#pastRules = [];
    this.#ageDays = ageDays;
    this.#takesLate = takesLate;
  }

  /** Rules that were not stored: what they would have lifted may stay hidden for good, tag by tag. Gives whether they would. */
  tryRules(ageDays: number): boolean {
    if (!this.#isLaxer(ageDays)) return false;
    for (const tag of this.tags.values()) hideForGood(tag, this.#cutoffMs);
    return true;
  }

  #isLaxer(ageDays: number): boolean {
    return this.#ageDays > 0 && (ageDays === 0 || ageDays > this.#ageDays);
  }

  /** The cutoffs that a purge may put in force; none where it would change nothing. */
  purgeTimes(nowMs: number): number[] {
    const ruleMs = this.#ruleMs(nowMs);
    if (ruleMs <= this.#cutoffMs && !this.isStale) return [];
    return [...this.#pastRules.filter((ms) => ms < ruleMs), ruleMs];
  }

  /** Whether no rule makes the cutoff in force any more: the points that it went by are gone. */
  get isStale(): boolean {
    return this.#cutoffMs > this.#ruleMs(Number.POSITIVE_INFINITY);
  }

  /** What follows a removal and a deletion of tags, at the latest with the next purge. */
  liftStale(): void {
    if (this.isStale) this.#lift();
  }

  /** Does what a purge does that begins and ends at that time. */
  purgeAt(nowMs: number): void {
    const cutoffMs = this.purgeTimes(nowMs).at(-1);
    if (cutoffMs !== undefined) this.purge(cutoffMs);
  }

  /** Puts one of `purgeTimes` in force. */
  purge(cutoffMs: number): void {
    this.liftStale();
    this.#cutoffMs = Math.max(this.#cutoffMs, cutoffMs);
    this.#pastRules = this.#pastRules.filter((ms) => ms > this.#cutoffMs);
    this.#latestCutoffMs = Math.max(this.#latestCutoffMs, this.#cutoffMs);
    // Corrections may be forgotten from here on.
    for (const { corrections } of this.tags.values())
      for (const { given } of corrections)
        for (const point of given) if (point.ms <= this.#cutoffMs) point.isUncertain = true;
  }

  deleteTag(name: string): void {
    this.tags.delete(name);
    this.#comeBack();
  }

  /** How many stored points it removes; undefined where that may depend on what was freed. */
  remove(name: string, startMs: number): number | undefined {
    const tag = this.#tag(name);
    const shown = this.#unpurged(tag);
    const late = tag.late.filter((point) => point.ms >= startMs && !isHidden(tag, point));
    const removed = shown.filter(({ ms }) => ms >= startMs).length + late.length;
    if (tag.inTime.some(({ ms }) => ms >= startMs)) {
      const isAnyLeft = shown.some(({ ms }) => ms < startMs);
      tag.inTime = isAnyLeft ? tag.inTime.filter(({ ms }) => ms < startMs) : [];
    }
    tag.late = tag.late.filter(({ ms }) => ms < startMs);
    for (const correction of tag.corrections) correction.given = correction.given.filter(({ ms }) => ms < startMs);
    this.#comeBack();
    const isExact = startMs > this.#latestCutoffMs && startMs >= tag.leftMs;
    return isExact ? removed : undefined;
  }

  judge(name: string, { kind, startMs, endMs, points }: Omit<ModelCorrection, 'id'>): Judgement {
    const tag = this.#tag(name);
    if (tag.inTime.length === 0 || startMs <= this.#cutoffMs) return 'refused';
    if (points.some(({ ms }) => ms > this.newestInTimeMs(name) || ms < this.#leftMs(tag))) return 'refused';
    const isIn = ({ ms }: ModelPoint): boolean => ms >= startMs && ms <= endMs;
    const { certain, uncertain } = this.readable(name);
    if (kind === 'insert' || certain.some(isIn)) return 'taken';
    return uncertain.length > 0 ? 'either' : 'refused';
  }

  /** One that was taken. */
  correct(name: string, correction: ModelCorrection): void {
    const given = correction.points.map((point) => this.#stored(point));
    this.#tag(name).corrections.push({ ...correction, given, at: this.#count++, isUndone: false });
  }

  /** Corrections in force that purge cannot have forgotten. */
  undoable(name: string): ModelCorrection['id'][] {
    const corrections = this.tags.get(name)?.corrections ?? [];
    return corrections
      .filter(({ isUndone, startMs }) => !isUndone && startMs > this.#latestCutoffMs)
      .map(({ id }) => id);
  }

  undo(name: string, id: number): void {
    const correction = this.#tag(name).corrections.find((one) => one.id === id);
    if (correction) correction.isUndone = true;
  }

  readable(name: string): Readable {
    const tag = this.#tag(name);
    const points = this.#readablePoints(tag).sort((a, b) => a.ms - b.ms);
    return {
      certain: points.filter(({ isUncertain }) => !isUncertain),
      uncertain: points.filter(({ isUncertain }) => isUncertain),
    };
  }

  #readablePoints(tag: ModelTag): StoredPoint[] {
    const cutoffMs = this.#cutoffMs;
    const leftMs = this.#leftMs(tag);
    const isBehind = ({ ms }: ModelPoint): boolean => ms > cutoffMs;
    const isLeft = ({ ms }: ModelPoint): boolean => ms >= leftMs;
    const unpurged = this.#unpurged(tag).filter((point) => !isHidden(tag, point));
    const given = givenPoints(tag).filter(isLeft);
    const late = tag.late.filter((point) => isBehind(point) && isLeft(point) && !isHidden(tag, point));
    // At the cutoff the newest is kept, stored or given.
    const kept = [...unpurged, ...given]
      .filter((point) => !isBehind(point))
      .sort((a, b) => a.ms - b.ms)
      .slice(-1);
    return [...kept, ...unpurged.filter(isBehind), ...given.filter(isBehind), ...late];
  }

  /** Points in time that neither the rule in force hides nor a lifted one has; corrections may hide them. */
  #unpurged({ inTime }: ModelTag): StoredPoint[] {
    const kept = inTime.findLastIndex(({ ms }) => ms <= this.#cutoffMs);
    return inTime.slice(Math.max(0, kept)).filter(({ isGone }) => !isGone);
  }

  #leftMs({ leftMs, inTime }: ModelTag): number {
    if (this.#firstLeft === 'stays' || leftMs === Number.NEGATIVE_INFINITY) return leftMs;
    return Math.max(leftMs, inTime.find(({ isGone }) => !isGone)?.ms ?? leftMs);
  }

  #ruleMs(nowMs: number): number {
    return this.#ageDays > 0 ? Math.min(nowMs, this.#newestMs) - this.#ageDays * DAY_MS : Number.NEGATIVE_INFINITY;
  }

  /** The newest points may be gone. */
  #comeBack(): void {
    const newest = [...this.tags.keys()].map((name) => this.newestInTimeMs(name));
    this.#newestMs = Math.min(this.#newestMs, Math.max(Number.NEGATIVE_INFINITY, ...newest));
    // A removal and a deletion wait for cutoffs that move on.
    this.#pastRules = [];
  }

  /** What the rule has hidden before the point that it has kept stays hidden; what is behind that may come back. */
  #lift(): void {
    const cutoffMs = this.#cutoffMs;
    for (const tag of this.tags.values()) {
      hideForGood(tag, cutoffMs);
      const given = tag.corrections.flatMap((correction) => correction.given);
      for (const point of [...tag.late, ...given]) if (point.ms <= cutoffMs) point.isUncertain = true;
    }
    this.#cutoffMs = Number.NEGATIVE_INFINITY;
  }

  #tag(name: string): ModelTag {
    const none = { type: FIRST_TYPE, inTime: [], late: [], corrections: [], leftMs: Number.NEGATIVE_INFINITY };
    return this.tags.get(name) ?? none;
  }

  #stored(point: ModelPoint): StoredPoint {
    return { ...point, at: this.#count++, isGone: false, isUncertain: false };
  }
}

function hideForGood(tag: ModelTag, cutoffMs: number): void {
  const kept = tag.inTime.findLast(({ ms }) => ms <= cutoffMs);
  if (kept === undefined || kept.isGone) return;
  tag.leftMs = kept.ms;
  for (const point of tag.inTime) if (point.ms < kept.ms) point.isGone = true;
}

/** Whether a correction in force that came later hides a stored point. */
function isHidden({ corrections }: ModelTag, point: StoredPoint): boolean {
  return corrections.some((correction) => correction.at > point.at && covers(correction, point));
}

function covers({ kind, startMs, endMs, given, isUndone }: MadeCorrection, { ms }: ModelPoint): boolean {
  if (isUndone) return false;
  return kind === 'insert' ? given.some((other) => other.ms === ms) : ms >= startMs && ms <= endMs;
}

/** The points of corrections in force that no later one hides. */
function givenPoints({ corrections }: ModelTag): StoredPoint[] {
  return corrections.flatMap((correction) => {
    if (correction.isUndone) return [];
    const later = corrections.filter(({ at }) => at > correction.at);
    return correction.given.filter((point) => !later.some((one) => covers(one, point)));
  });
}

function cloneTag(tag: ModelTag): ModelTag {
  const copy = (points: readonly StoredPoint[]): StoredPoint[] => points.map((point) => ({ ...point }));
  const corrections = tag.corrections.map((correction) => ({ ...correction, given: copy(correction.given) }));
  return { ...tag, inTime: copy(tag.inTime), late: copy(tag.late), corrections };
}

function describeTag({ type, inTime, late, corrections, leftMs }: ModelTag): string {
  const describe = (points: readonly StoredPoint[]): string =>
    points.map(({ at, isGone, isUncertain }) => `${at}${isGone ? 'g' : ''}${isUncertain ? 'u' : ''}`).join();
  const made = corrections.map(({ id, given, isUndone }) => `${id}${isUndone ? 'x' : ''}:${describe(given)}`);
  return [type, leftMs, describe(inTime), describe(late), ...made].join(' ');
}

/** What reads must give, where of the points that may be there those are that `got` has. */
export function asShown({ certain, uncertain }: Readable, got: readonly ModelPoint[]): ModelPoint[] {
  const values = new Set(got.map(({ value }) => value));
  const back = uncertain.filter(({ value }) => values.has(value));
  return [...certain, ...back].sort((a, b) => a.ms - b.ms);
}
