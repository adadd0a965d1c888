// Clocks of sources against the one here. One that was set back while the connection was cut, and has overtaken the newest point
// since, shows only in this: times that come are less far ahead of the clock here than before the cut. Values of times before the
// newest point were set meanwhile; the history from before that point on has them.

import { compareTimes, type Instant } from '../point.ts';

/** How late values come differs by less than this, and by the time between two publications. */
const SLACK_MS = 1000;
const MOST_BACK_MS = 86_400_000;
/** The value that came soonest within this tells how far ahead a clock is: one that came late tells too little. */
const WINDOW_MS = 30_000;

/** What a history is read for: from an instant to the first change behind the cut. */
export interface MissedSlice {
  readonly tag: string;
  readonly fromMs: number;
  /** The point that was the newest before the cut. */
  readonly newest: Instant;
  /**
   * Not the newest point: the server has values of both clocks around it, which were set in another order than that of their times,
   * and what was read after the cut took them in one order alone. What was read then comes twice, and is one.
   */
  readonly until: Instant;
}

export class SourceClocks {
  readonly #leads: Map<string, number>;
  readonly #slackMs: number;
  /** The lead of each tag since a moment of its own. */
  readonly #recent = new Map<string, { readonly sinceMs: number; leadMs: number }>();
  /** Newest points before cuts behind which no clock was looked at yet. */
  readonly #cuts = new Map<string, Instant>();
  readonly #missed = new Map<string, MissedSlice>();

  /** `leads` are milliseconds that each tag's source was ahead of the clock here of late; they are kept up to date. */
  constructor(leads: Map<string, number>, publishingMs: number) {
    this.#leads = leads;
    this.#slackMs = SLACK_MS + publishingMs;
  }

  /** A connection begins, behind a cut. */
  beginBehind(tag: string, newest: Instant): void {
    // The first of several cuts, where the variable has not changed between them.
    if (!this.#cuts.has(tag)) this.#cuts.set(tag, newest);
  }

  /** A change that came just now. */
  see(tag: string, source: Instant, nowMs: number): void {
    const leadMs = Math.round(source.timeMs - nowMs);
    const knownMs = this.#leads.get(tag) ?? leadMs;
    const newest = this.#cuts.get(tag);
    if (newest === undefined) {
      this.#keep(tag, { leadMs, knownMs, nowMs });
      return;
    }
    const backMs = knownMs - leadMs;
    this.#cuts.delete(tag);
    this.#recent.delete(tag);
    this.#leads.set(tag, leadMs);
    // A clock that is still behind the newest point is seen by its times, and the hole is marked.
    if (backMs <= this.#slackMs || compareTimes(source, newest) <= 0) return;
    const fromMs = newest.timeMs - Math.min(backMs + this.#slackMs, MOST_BACK_MS);
    this.#missed.set(tag, { tag, fromMs, newest, until: source });
  }

  #keep(tag: string, { leadMs, knownMs, nowMs }: { leadMs: number; knownMs: number; nowMs: number }): void {
    const recent = this.#recent.get(tag);
    if (recent !== undefined && nowMs - recent.sinceMs < WINDOW_MS) {
      recent.leadMs = Math.max(recent.leadMs, leadMs);
      this.#leads.set(tag, Math.max(knownMs, leadMs));
      return;
    }
    // What was known before the last window counts no more: the clock may have been turned.
    this.#leads.set(tag, Math.max(recent?.leadMs ?? knownMs, leadMs));
    this.#recent.set(tag, { sinceMs: nowMs, leadMs });
  }

  /** What was missed, until it is settled. */
  get missed(): MissedSlice[] {
    return [...this.#missed.values()];
  }

  settle({ tag }: MissedSlice): void {
    this.#missed.delete(tag);
  }
}
