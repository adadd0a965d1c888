// How far the trend is known: to the server's last answer, and shortly behind it as long as the next one is not overdue.

/** An answer takes so long, before the line waits for it. */
const GRACE_MS = 2000;

/** Undefined: nothing is followed, and the clock says how far anything is known. */
let known: { readonly answeredMs: number; readonly untilMs: number } | undefined;

/** An answer to what was asked at a time; the next one will be asked for within so long, `undefined` for none. */
export function noteAnswer(askedMs: number, nextInMs: number | undefined): void {
  known = nextInMs === undefined ? undefined : { answeredMs: askedMs, untilMs: askedMs + nextInMs + GRACE_MS };
}

/** The time now, or until when something is known. */
export function knownNow(clockMs: number): number {
  return Math.min(clockMs, known?.untilMs ?? clockMs);
}

/** The time now, or that of the last answer: once another has failed, nothing is known behind it. */
export function lastAnswerMs(clockMs: number): number {
  return Math.min(clockMs, known?.answeredMs ?? clockMs);
}
