// How long a tag was in each of its states, out of the server's answer, with the shade that each is shown in.

import type { TagDefinition } from '../model/tags/tag.ts';
import { stateTexts } from '../model/values/value-kind.ts';
import type { PointValue } from '../model/values/value-text.ts';
import { type Shade, shadeAt, UNKNOWN_SHADE } from './shades.ts';
import type { StateEntry } from './state-entry.ts';

export interface StateTime {
  readonly name: string;
  readonly durationMs: number;
  /** Share of the time that is known. */
  readonly percent: number;
  /** How often it began. */
  readonly times: number;
  readonly shade: Shade;
}

/** More than these are no states to a reader; a bar has the longest, and one part for the rest. */
export const MOST_STATES = 12;

/** In the order of the states; those without any time are left out. */
export function stateTimes(entries: readonly StateEntry[]): StateTime[] {
  const tag = entries[0]?.t;
  if (tag === undefined) return [];
  const byState = new Map<PointValue, Partial<Record<StateEntry['a'], number>>>();
  const names = new Map<PointValue, string>();
  for (const { state, stateName, a, d } of entries) {
    if (state === undefined) continue;
    byState.set(state, { ...byState.get(state), [a]: d[0]?.v ?? 0 });
    names.set(state, stateName ?? nameOf(tag, state));
  }
  const states = [...byState.keys()].sort(tag.t === 'System.String' ? byText : byNumber);
  const shades = shadesOf(tag, states);
  return states.flatMap((state, index) => {
    const { StateDuration = 0, StatePercent = 0, StateCount = 0 } = byState.get(state) ?? {};
    if (StateDuration === 0) return [];
    const shade = shades[index] ?? UNKNOWN_SHADE;
    const name = names.get(state) ?? '';
    return [{ name, durationMs: StateDuration, percent: StatePercent, times: StateCount, shade }];
  });
}

function nameOf(tag: TagDefinition, state: PointValue): string {
  const text = stateTexts(tag)?.get(Number(state));
  if (text !== undefined) return text;
  if (stateTexts(tag) !== undefined) return `${state} (no such state)`;
  return state === '' ? '(empty text)' : String(state);
}

function byNumber(a: PointValue, b: PointValue): number {
  return Number(a) - Number(b);
}

function byText(a: PointValue, b: PointValue): number {
  const [one, other] = [String(a), String(b)];
  return one < other ? -1 : Number(one > other);
}

/** The place in the tag's own list gives the shade, so that it stays when a state does not occur. */
function shadesOf(tag: TagDefinition, states: readonly PointValue[]): Shade[] {
  const texts = stateTexts(tag);
  if (texts === undefined) return states.map((_, place) => shadeAt(place, states.length));
  const known = [...texts.keys()].sort((a, b) => a - b);
  return states.map((state) => {
    const place = known.indexOf(Number(state));
    return place < 0 ? UNKNOWN_SHADE : shadeAt(place, known.length);
  });
}

/** The longest ones, in their order, and the others as one. */
export function longestStates(times: readonly StateTime[]): StateTime[] {
  if (times.length <= MOST_STATES) return [...times];
  const longest = new Set(byDuration(times).slice(0, MOST_STATES - 1));
  const rest = times.filter((one) => !longest.has(one));
  const sum = (pick: (one: StateTime) => number): number => rest.reduce((total, one) => total + pick(one), 0);
  const others = {
    name: `${rest.length} others`,
    durationMs: sum(({ durationMs }) => durationMs),
    percent: sum(({ percent }) => percent),
    times: sum(({ times: count }) => count),
    shade: UNKNOWN_SHADE,
  };
  return [...times.filter((one) => longest.has(one)), others];
}

export function byDuration(times: readonly StateTime[]): StateTime[] {
  return [...times].sort((a, b) => b.durationMs - a.durationMs);
}

/** Part of the window up to now for which no state is known. */
export function unknownMs(
  times: readonly StateTime[],
  window: { startMs: number; endMs: number },
  nowMs: number,
): number {
  const pastMs = Math.max(0, Math.min(window.endMs, nowMs) - window.startMs);
  const knownMs = times.reduce((sum, { durationMs }) => sum + durationMs, 0);
  // What the clocks of server and browser differ by is no gap.
  const leftMs = pastMs - knownMs;
  return leftMs > Math.max(1000, pastMs / 1000) ? leftMs : 0;
}
