// What the clients of one dataset have asked for and when, and from that what a read must show, may show and must not.
// Time is counted in moments: each beginning and each end of a request, and of a read, is one of its own. Two things
// are in order only when one had ended before the other began; all that overlaps may have come either way.

/** From the call to the answer; `end` is infinite while there is none. */
export interface Span {
  readonly start: number;
  end: number;
}

export interface RacePoint {
  /** Its value, too: no two points of a trial share one. */
  readonly serial: number;
  readonly tag: string;
  readonly ms: number;
  write: Span;
  /** A refused write is not there, and what a restart has not shown is gone for good. */
  isGone: boolean;
  /** Its write had several batches and was refused between two of them, by a deletion: the first are there until that is done. */
  isPerhaps: boolean;
  /** Some of its tag's points in a request of several batches expired, as purge ran between two: which ones, nobody is told. */
  mayBeExpired: boolean;
}

interface Cut extends Span {
  readonly fromMs: number;
}

/** A read of one tag: called and ended at these moments; the cursor was opened between. */
export interface ReadSpan {
  readonly called: number;
  readonly opened: number;
  ended: number;
}

/** Counts the moments of a trial. */
export class Moments {
  #now = 0;

  next(): number {
    return ++this.#now;
  }

  begin(): Span {
    return { start: this.next(), end: Number.POSITIVE_INFINITY };
  }
}

export class RaceHistory {
  readonly points = new Map<string, RacePoint[]>();
  readonly tagDeletions = new Map<string, Span[]>();
  readonly cuts = new Map<string, Cut[]>();
  /** Tags that were ever cut. */
  readonly deletePointsOfTags = new Set<string>();
  /** Deletions that were not refused. */
  deletions: Span[] = [];
  /** Explicit creations that made the dataset anew. */
  creations: Span[] = [];
  /** Requests that may have made the dataset, or that show that it was there: all that were not refused. */
  makers: Span[] = [];
  /** Writes that were refused because the dataset was being deleted: they may have made it anew before. */
  refusedMakers: Span[] = [];
  /** Points from here on have not been purged by anything yet. */
  purgeMostMs = Number.NEGATIVE_INFINITY;
  /** A purge has ended since the start that takes the points before. */
  purgeLeastMs = Number.NEGATIVE_INFINITY;
  newestMs = Number.NEGATIVE_INFINITY;

  addPoint(point: RacePoint): void {
    const own = this.points.get(point.tag) ?? [];
    own.push(point);
    this.points.set(point.tag, own);
    this.newestMs = Math.max(this.newestMs, point.ms);
  }

  addTo<T>(map: Map<string, T[]>, tag: string, entry: T): void {
    map.set(tag, [...(map.get(tag) ?? []), entry]);
  }

  removeFrom<T>(map: Map<string, T[]>, tag: string, entry: T): void {
    map.set(
      tag,
      (map.get(tag) ?? []).filter((other) => other !== entry),
    );
  }

  /** Whether the dataset was there all the time from one moment to another. */
  isSurelyThere(from: number, to: number): boolean {
    return this.makers.some((maker) => maker.end < from && !this.#mayBeDeletedAfter(maker, to));
  }

  /** Whether the dataset was absent all the time from one moment to another. */
  isSurelyAbsent(from: number, to: number): boolean {
    const mayBeMade = (since: number) => this.makers.some((maker) => maker.end > since && maker.start < to);
    if (this.deletions.length === 0) return !mayBeMade(0);
    if (this.#isDeletionOfNewUnderWay()) return false;
    return this.deletions.some((deletion) => deletion.end < from && !mayBeMade(deletion.start));
  }

  /** Until such a deletion is answered, the dataset that a refused write had made may be there. */
  #isDeletionOfNewUnderWay(): boolean {
    return this.deletions.some(
      ({ start, end }) => end === Number.POSITIVE_INFINITY && this.refusedMakers.some((maker) => maker.end > start),
    );
  }

  /** Whether a tag was there all the time: one of its points was, and none can have taken it since. */
  hasTagSurely(tag: string, from: number, to: number): boolean {
    return (this.points.get(tag) ?? []).some(
      ({ write, isGone, isPerhaps, mayBeExpired }) =>
        !isGone && !isPerhaps && !mayBeExpired && write.end < from && !this.#mayBeDeletedAfter(write, to, tag),
    );
  }

  /** Points that a read of a tag has to show, as far as its range holds them. */
  required(tag: string, read: ReadSpan): RacePoint[] {
    return (this.points.get(tag) ?? []).filter((point) => this.#isRequired(point, read));
  }

  #isRequired({ tag, ms, write, isGone, isPerhaps, mayBeExpired }: RacePoint, read: ReadSpan): boolean {
    if (isGone || isPerhaps || mayBeExpired || write.end >= read.called) return false;
    // A cursor keeps the files that it began with, so only what came before it was opened may be missing.
    if (this.#mayBeDeletedAfter(write, read.opened, tag)) return false;
    return !(this.cuts.get(tag) ?? []).some(
      (cut) => ms >= cut.fromMs && cut.end > write.start && cut.start < read.ended,
    );
  }

  /** Whether a deletion may have come behind a request and before a moment. */
  #mayBeDeletedAfter(request: Span, before: number, tag?: string): boolean {
    const may = (deletion: Span) => deletion.end > request.start && deletion.start < before;
    if (tag !== undefined && (this.tagDeletions.get(tag) ?? []).some(may)) return true;
    return this.deletions.some((deletion) => may(deletion) && this.#surelyDone(deletion) >= request.start);
  }

  /** Whether all deletions of the dataset that came beside a request are done at a moment; there is at least one. */
  #isDeletedBeside(request: Span, moment: number): boolean {
    const beside = this.deletions.filter(({ start, end }) => end > request.start && start < request.end);
    return beside.length > 0 && beside.every((deletion) => this.#surelyDone(deletion) < moment);
  }

  /** The moment from which on the dataset had surely gone: the answer, or that of the one that made it anew. */
  #surelyDone(deletion: Span): number {
    const anew = this.creations.filter((creation) => creation.start > deletion.start).map((creation) => creation.end);
    return Math.min(deletion.end, ...anew);
  }

  /** Why a read must not show a point, or undefined. */
  whyForbidden({ tag, ms, write, isGone, isPerhaps }: RacePoint, read: ReadSpan): string | undefined {
    if (isGone) return 'its write was refused, or a restart had not shown it';
    if (isPerhaps && this.#isDeletedBeside(write, read.called))
      return 'its write was refused by a deletion that is done';
    if (write.start > read.ended) return 'it was written later';
    const isOver = (removal: Span) => write.end < removal.start && removal.end < read.called;
    if (this.deletions.some((deletion) => write.end < deletion.start && this.#surelyDone(deletion) < read.called))
      return 'the dataset was deleted since';
    if ((this.tagDeletions.get(tag) ?? []).some(isOver)) return 'the tag was deleted since';
    if ((this.cuts.get(tag) ?? []).some((cut) => ms >= cut.fromMs && isOver(cut))) return 'it was cut since';
    return undefined;
  }

  /** Whether points of one read were written on both sides of a deletion of the dataset or the tag. */
  isMixed(tag: string, points: readonly RacePoint[]): boolean {
    const divides = (start: number, done: number) =>
      points.some(({ write }) => write.end < start) && points.some(({ write }) => write.start > done);
    return (
      this.deletions.some((deletion) => divides(deletion.start, this.#surelyDone(deletion))) ||
      (this.tagDeletions.get(tag) ?? []).some((deletion) => divides(deletion.start, deletion.end))
    );
  }

  /** A restart has ended what was under way: of that, what the points found contradict was not stored. */
  voidContradicted(found: readonly RacePoint[]): void {
    const contradicts = (removal: Span, point: RacePoint) =>
      removal.end === Number.POSITIVE_INFINITY && point.write.end < removal.start;
    this.deletions = this.deletions.filter((deletion) => !found.some((point) => contradicts(deletion, point)));
    for (const point of found) {
      const { tag, ms } = point;
      this.tagDeletions.set(
        tag,
        (this.tagDeletions.get(tag) ?? []).filter((deletion) => !contradicts(deletion, point)),
      );
      this.cuts.set(
        tag,
        (this.cuts.get(tag) ?? []).filter((cut) => ms < cut.fromMs || !contradicts(cut, point)),
      );
    }
  }

  /** From a restart on what was found is there, and the rest never comes back. `found` undefined: there is no dataset. */
  restart(found: ReadonlySet<RacePoint> | undefined, now: Span): void {
    for (const point of [...this.points.values()].flat()) {
      if (found?.has(point)) {
        point.write = now;
        point.isPerhaps = false;
        point.mayBeExpired = false;
      }
      // What purge only hides may come back, as the newest there is, when a cut takes what is behind it.
      else if (found && point.ms < this.purgeMostMs) point.write = { start: now.start, end: Number.POSITIVE_INFINITY };
      else point.isGone = true;
    }
    this.tagDeletions.clear();
    this.cuts.clear();
    this.creations = [];
    this.deletions = [];
    this.makers = found ? [now] : [];
    this.refusedMakers = [];
  }
}
