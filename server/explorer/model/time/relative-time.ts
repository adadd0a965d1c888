// Times relative to now, in the words that people type: `-8h`, `d-1d`, `yesterday+6h`, `06:00`, `* - 8h`. An anchor, steps from
// there, and a time of day; by the clocks and the calendar of a zone. docs/explorer.md has a table of them.

import { addStep, atClock, type CalendarUnit, startOfUnit } from './calendar.ts';
import { shownZone, type Zone } from './time-zone.ts';

/** The words for an anchor, and the one that is kept of each. `y` is yesterday, as it is typed at other historians. */
const ANCHORS: ReadonlyMap<string, string> = new Map([
  ['now', 'now'],
  ['*', 'now'],
  ['d', 'd'],
  ['t', 'd'],
  ['today', 'd'],
  ['y', 'yesterday'],
  ['yesterday', 'yesterday'],
  ['w', 'w'],
  ['week', 'w'],
  ['M', 'M'],
  ['month', 'M'],
  ['year', 'year'],
  ['h', 'h'],
  ['hour', 'h'],
  ['m', 'm'],
  ['minute', 'm'],
]);
const ANCHOR_UNITS: ReadonlyMap<string, CalendarUnit> = new Map([
  ['d', 'd'],
  ['w', 'w'],
  ['M', 'M'],
  ['year', 'y'],
  ['h', 'h'],
  ['m', 'm'],
]);

const FORM = /^(\*|[a-z]+)?((?:[+-]?(?:\d+[yMwdhms])+)*)$/i;
const CLOCK_FORM = /^(.*?)(?:^|\s+)(\d{1,2}):(\d{2})(?::(\d{2}))?$/;
const CLOCK_SPLIT = /^(.*?)((?:^|\s+)\d{1,2}:\d{2}(?::\d{2})?)?$/;
const STEPS_FORM = /([+-]?)((?:\d+[yMwdhms])+)/gi;
const STEP_FORM = /(\d+)([yMwdhms])/gi;
/** The grammar of the API. */
const SERVER_FORM = /^(?:now|[yMwdhm])?(?:[+-]?(?:\d+[yMwdhms])+)?$/;
const MOST_LENGTH = 100;
const MOST_COUNT = 1e9;

export interface RelativeTime {
  /** Undefined: now, or the present day where there is a time of day. */
  readonly anchor: string | undefined;
  readonly steps: readonly (readonly [count: number, unit: CalendarUnit])[];
  /** Milliseconds past midnight. */
  readonly clockMs: number | undefined;
}

/** Undefined for what is no relative time. */
export function readRelative(text: string): RelativeTime | undefined {
  if (text.length > MOST_LENGTH) return undefined;
  const [, before = '', hours, minutes, seconds = '0'] = CLOCK_FORM.exec(text.trim()) ?? [undefined, text.trim()];
  const clockMs = hours === undefined ? undefined : readClock(hours, minutes ?? '', seconds);
  if (clockMs === 'none' || (before === '' && clockMs === undefined)) return undefined;
  const match = FORM.exec(before.replace(/\s*([+-])\s*/g, '$1'));
  if (match === null) return undefined;
  const [, word, steps = ''] = match;
  const anchor = word === undefined ? undefined : anchorOf(word);
  if (word !== undefined && anchor === undefined) return undefined;
  return { anchor, steps: readSteps(steps), clockMs };
}

/** Only of `M` and `m` the case matters. */
function anchorOf(word: string): string | undefined {
  return ANCHORS.get(word === 'M' ? word : word.toLowerCase());
}

function readClock(hours: string, minutes: string, seconds: string): number | 'none' {
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return 'none';
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

/** A sign holds until the next one; without one they lead ahead. */
function readSteps(text: string): [number, CalendarUnit][] {
  return [...text.matchAll(STEPS_FORM)].flatMap(([, sign, steps = '']) =>
    [...steps.matchAll(STEP_FORM)].map(([, digits, letter = '']): [number, CalendarUnit] => {
      const unit = (letter === 'M' ? letter : letter.toLowerCase()) as CalendarUnit;
      return [(sign === '-' ? -1 : 1) * Math.min(MOST_COUNT, Number(digits)), unit];
    }),
  );
}

/** True for what `resolveRelative` takes. */
export function isRelative(text: string): boolean {
  return readRelative(text) !== undefined;
}

/** Text that is kept of it: with one word for each anchor, and without white space but before a time of day. */
export function tidyRelative(text: string): string {
  const [, before = '', clock] = CLOCK_SPLIT.exec(text.trim()) ?? [];
  const steps = before.replace(/\s+/g, '').replace(/^(\*|[a-z]+)/i, (word) => anchorOf(word) ?? word);
  // A bare step leads from now on.
  const short = steps.replace(/^now(?=[+-]?\d)/, '');
  return [short, clock?.trim().padStart(5, '0') ?? ''].filter((part) => part !== '').join(' ');
}

/** What the server takes for it, with its name of the zone; undefined where it has no form for it. */
export function relativeForServer(text: string): string | undefined {
  const form = tidyRelative(text)
    .replace(/^year/, 'y')
    .replace(/^yesterday$/, 'd-1d');
  return SERVER_FORM.test(form) ? form : undefined;
}

/** Whether the calendar or the clocks of a zone have a part in it. */
export function needsZone(text: string): boolean {
  const read = readRelative(text);
  return (
    read !== undefined && ((read.anchor ?? 'now') !== 'now' || read.steps.some(([, unit]) => 'yMwd'.includes(unit)))
  );
}

/** Whether it goes with the clock all the time, and not from day to day or week to week. */
export function isSliding(text: string): boolean {
  const read = readRelative(text);
  return read !== undefined && read.clockMs === undefined && (read.anchor ?? 'now') === 'now';
}

/** Milliseconds since 1970. Throws a RangeError for what is no relative time. */
export function resolveRelative(text: string, nowMs: number, zone: Zone = shownZone()): number {
  const read = readRelative(text);
  if (read === undefined) throw new RangeError(`'${text}' is no relative time`);
  let timeMs = anchorTime(read.anchor ?? 'now', nowMs, zone);
  for (const [count, unit] of read.steps) timeMs = addStep(timeMs, count, unit, zone);
  return read.clockMs === undefined ? timeMs : atClock(timeMs, read.clockMs, zone);
}

function anchorTime(anchor: string, nowMs: number, zone: Zone): number {
  if (anchor === 'yesterday') return addStep(startOfUnit(nowMs, 'd', zone), -1, 'd', zone);
  const unit = ANCHOR_UNITS.get(anchor);
  return unit === undefined ? nowMs : startOfUnit(nowMs, unit, zone);
}

/** A span as the shortest exact relative time without a sign: `90m`, `2h`, `1d12h`; whole seconds. */
export function formatRelativeSpan(spanMs: number): string {
  let seconds = Math.max(1, Math.round(spanMs / 1000));
  const parts: string[] = [];
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join('');
}
