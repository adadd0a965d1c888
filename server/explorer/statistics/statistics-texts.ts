// Statistics of a tag as the texts of its row: a dash with the reason where there is none, and what is not exact said so.

import type { TagDefinition } from '../model/tags/tag.ts';
import { formatTime } from '../model/time/axis-labels.ts';
import { formatSpan } from '../model/time/duration-text.ts';
import { beyondText, LIMIT_SIGNS } from '../model/values/limits.ts';
import { formatNumber } from '../model/values/number-format.ts';
import { formatPercent } from '../model/values/percent-text.ts';
import { valueKind } from '../model/values/value-kind.ts';
import { formatBare } from '../model/values/value-text.ts';
import type { TagStatistics } from './tag-statistics.ts';
import type { BeyondTime } from './time-beyond.ts';

export interface StatisticsColumn {
  readonly label: string;
  /** What it is, where its name is short. */
  readonly title: string;
}

export interface StatisticsText {
  readonly text: string;
  /** All digits, a time, or why there is nothing. */
  readonly title: string;
}

/** In the order of the texts of a row. */
export const STATISTICS_COLUMNS: readonly StatisticsColumn[] = [
  { label: 'Time mean', title: 'Mean over the time in which the value was good' },
  { label: 'Deviation', title: 'Standard deviation of the good values, by their count' },
  { label: '5 %', title: '5 % of the good values are smaller, by their count' },
  { label: 'Median', title: 'Half of the good values are smaller, by their count' },
  { label: '95 %', title: '95 % of the good values are smaller, by their count' },
  { label: 'Minimum', title: 'The first of the smallest good values' },
  { label: 'Maximum', title: 'The first of the largest good values' },
  { label: 'Good', title: 'Share of the time in which the value was good; the newest one holds until now' },
  { label: 'Longest gap', title: 'Longest time without a point' },
  { label: 'Points', title: 'Points of the range' },
];

export const SAMPLED = 'of a million values taken by chance, because there are more; not exact';

const DEVIATION_DIGITS = 4;

export function statisticsTexts(statistics: TagStatistics, spanMs: number): StatisticsText[] {
  const { t: tag, timeMean, deviation, percentiles, points, good, percentGood } = statistics;
  const none: StatisticsText = { text: '–', title: whyNone(statistics) };
  const number = (value: number | null, text: (value: number) => string): StatisticsText =>
    value === null ? none : { text: text(value), title: String(value) };
  const level = (value: number | null): StatisticsText => number(value, (one) => levelText(tag, one));
  const percentile = (value: number | undefined): StatisticsText => {
    const found = level(value ?? null);
    return percentiles?.of === 'sample' ? { text: `≈ ${found.text}`, title: `${found.title}, ${SAMPLED}` } : found;
  };
  const extreme = (point: TagStatistics['min']): StatisticsText =>
    point === null ? none : { text: formatBare(tag, point.v), title: `at ${formatTime(Date.parse(point.t), spanMs)}` };
  return [
    level(timeMean),
    number(deviation, (value) => deviationText(tag, value)),
    percentile(percentiles?.p5),
    percentile(percentiles?.p50),
    percentile(percentiles?.p95),
    extreme(statistics.min),
    extreme(statistics.max),
    { text: formatPercent(percentGood), title: `${percentGood} % of the time` },
    gapText(statistics.longestGap, spanMs),
    { text: points.toLocaleString('en-US'), title: `${good.toLocaleString('en-US')} of them good` },
  ];
}

/** The limits that were passed; the time beyond an outer one is part of that beyond the inner one: `H 12.5 %, HH 0.4 %`. */
export function beyondTexts(beyond: BeyondTime | undefined): StatisticsText {
  if (beyond === undefined) return { text: '–', title: 'The tag has no limits' };
  const { times, knownMs, of } = beyond;
  if (knownMs === 0) return { text: '–', title: 'No good value in the range' };
  const passed = times.filter(({ ms }) => ms > 0);
  const isRough = of === 'averages';
  const how = isRough ? ', by 1,000 averages, because there are very many points' : '';
  if (passed.length === 0) return { text: isRough ? '≈ none' : 'none', title: `Within its limits${how}` };
  const texts = passed.map(({ limit, ms }) => `${LIMIT_SIGNS[limit.kind]} ${formatPercent((100 * ms) / knownMs)}`);
  const spans = passed.map(({ limit, ms }) => `${beyondText(limit)} for ${formatSpan(ms)}`);
  return { text: `${isRough ? '≈ ' : ''}${texts.join(', ')}`, title: `${spans.join(', ')}${how}` };
}

function whyNone({ t, good }: TagStatistics): string {
  if (valueKind(t) === 'text') return `${t.t === 'System.DateTime' ? 'Times' : 'Texts'} have no numbers`;
  return good === 0 ? 'No good value in the range' : 'Not known for this range';
}

/** A level is formatted like the tag's values; between two states there is no text. */
function levelText(tag: TagDefinition, value: number): string {
  return formatNumber(value, valueKind(tag) === 'state' ? undefined : tag.f);
}

/** Digits of its own: a small deviation of a tag without decimals is not 0. */
function deviationText({ f }: TagDefinition, value: number): string {
  if (f?.includes('%')) return formatNumber(value, f);
  return formatNumber(Number(value.toPrecision(DEVIATION_DIGITS)), undefined);
}

function gapText(gap: TagStatistics['longestGap'], spanMs: number): StatisticsText {
  if (gap === null) return { text: '–', title: 'No gap' };
  const [from, to] = [gap.s, gap.e].map((time) => formatTime(Date.parse(time), spanMs));
  return { text: formatSpan(gap.ms), title: `from ${from} to ${to}` };
}
