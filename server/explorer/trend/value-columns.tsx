// The columns of the table that show values: under the cursor, at the mark, of the period compared with, and the extremes.

import { BeyondSign, beyondClass } from '../controls/beyond-sign.tsx';
import { loadedPart } from '../controls/loaded-part.tsx';
import { isCalculated, type LineRef, type TagDefinition, tagKey } from '../model/tags/tag.ts';
import { compareText } from '../model/time/comparison.ts';
import { formatAge, formatDistance } from '../model/time/duration-text.ts';
import { knownPointAt, type ShownPoint, shownPoint, wholeSecond } from '../model/trend/open-interval.ts';
import { extentOf, pointAt, type Series, type SeriesPoint, toNumber } from '../model/trend/series.ts';
import { limitBeyond, tagLimits } from '../model/values/limits.ts';
import { valueKind } from '../model/values/value-kind.ts';
import {
  formatBare,
  formatValue,
  isGood,
  type PointValue,
  qualityText,
  stateTextOf,
} from '../model/values/value-text.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';

const CorrectedNote = loadedPart(async () => (await import('../corrections/correction-layer.tsx')).CorrectedNote);

interface HeadProps {
  readonly when: string;
  readonly atMs: number;
  /** The periods compared with, that were read. */
  readonly compared: readonly string[];
  readonly markedMs: number | undefined;
}

export function ValueHeads({ when, atMs, compared, markedMs }: HeadProps) {
  return (
    <>
      <th scope="col" class="number at">
        {when}
      </th>
      {markedMs === undefined ? null : <MarkHead atMs={atMs} markedMs={markedMs} />}
      {compared.map((compare) => (
        <th key={compare} scope="col" class="number" title={compareText(compare)}>
          {compared.length === 1 ? 'Earlier' : compareText(compare)}
        </th>
      ))}
      <th scope="col" class="quality">
        Quality
      </th>
      <th scope="col" class="number age">
        Age
      </th>
      <th scope="col" class="number extreme">
        Minimum
      </th>
      <th scope="col" class="number extreme">
        Maximum
      </th>
      <th scope="col" class="number points">
        Points
      </th>
    </>
  );
}

function MarkHead({ atMs, markedMs }: { readonly atMs: number; readonly markedMs: number }) {
  return (
    <>
      <th scope="col" class="number marked-value">
        At the mark
      </th>
      <th scope="col" class="number">
        Difference
        <small> {formatDistance(atMs - markedMs)}</small>
      </th>
    </>
  );
}

const NOTHING: ShownPoint = { point: undefined, soFar: undefined };

interface CellsProps {
  readonly tagRef: LineRef;
  readonly atMs: number;
  readonly when: 'now' | 'then';
  /** The periods compared with, that were read. */
  readonly compared: readonly string[];
  readonly markedMs: number | undefined;
}

export function ValueCells({ tagRef, atMs, when, compared, markedMs }: CellsProps) {
  const series = useStore(app, (state) => state.series.get(tagKey(tagRef)));
  const earlier = useStore(app, (state) => state.earlier.get(tagKey(tagRef)));
  const { startMs, endMs } = useStore(app, (state) => state.read);
  const nowMs = useStore(app, (state) => wholeSecond(state.nowMs));
  const isRead = atMs >= startMs && atMs <= endMs;
  const { point, soFar } = series === undefined || !isRead ? NOTHING : shownPoint(series, atMs, { when, nowMs });
  const isFine = point === undefined || isGood(point.quality);
  const beyond =
    series === undefined || point === undefined ? undefined : limitBeyond(tagLimits(series.tag), toNumber(point.value));
  return (
    <>
      <td class={`number strong${isFine ? '' : ' bad'}${beyondClass(beyond)}`}>
        {series === undefined || point === undefined ? '–' : valueText(series.tag, point.value)}
        <BeyondSign beyond={beyond} />
        {series === undefined || soFar === undefined ? null : (
          <small class="so-far"> {soFar === point ? 'so far' : `so far ${formatBare(series.tag, soFar.value)}`}</small>
        )}
      </td>
      {markedMs === undefined ? null : <MarkCells series={series} atMs={atMs} markedMs={markedMs} />}
      {compared.map((compare, place) => (
        <td key={compare} class="number earlier">
          {earlierText(earlier?.[place], atMs)}
        </td>
      ))}
      <td class={isFine ? 'quality' : 'quality bad'}>
        {point === undefined ? '–' : qualityText(point.quality)}
        {point === undefined || isCalculated(tagRef) || series?.tag.aggregate !== undefined ? null : (
          <CorrectedNote tagRef={tagRef} timeMs={point.timeMs} />
        )}
      </td>
      <td class="number age">{point === undefined ? '–' : formatAge(Math.max(0, atMs - point.timeMs))}</td>
      <Extremes series={series} />
    </>
  );
}

interface MarkProps {
  readonly series: Series | undefined;
  readonly atMs: number;
  readonly markedMs: number;
}

/** The value at the mark, and how far the one under the cursor is from it. */
function MarkCells({ series, atMs, markedMs }: MarkProps) {
  const nowMs = useStore(app, (state) => wholeSecond(state.nowMs));
  const marked = series === undefined ? undefined : knownPointAt(series, markedMs, nowMs);
  const point = series === undefined ? undefined : knownPointAt(series, atMs, nowMs);
  const difference =
    point === undefined || marked === undefined ? Number.NaN : toNumber(point.value) - toNumber(marked.value);
  const hasDifference = series !== undefined && hasScale(series.tag) && !Number.isNaN(difference);
  return (
    <>
      <td class="number earlier marked-value">
        {series === undefined || marked === undefined ? '–' : valueText(series.tag, marked.value)}
      </td>
      <td class="number earlier">{hasDifference ? withSign(formatBare(series.tag, difference), difference) : '–'}</td>
    </>
  );
}

function withSign(text: string, value: number): string {
  return value > 0 ? `+${text}` : text;
}

/** A number of a state that has no text is told as such. */
function valueText(tag: TagDefinition, value: PointValue): string {
  const isState = valueKind(tag) === 'state' && value !== null;
  return isState && stateTextOf(tag, value) === undefined ? `${value} (no such state)` : formatValue(tag, value);
}

function earlierText(earlier: Series | undefined, atMs: number): string {
  const point: SeriesPoint | undefined = earlier === undefined ? undefined : pointAt(earlier, atMs);
  return earlier === undefined || point === undefined ? '–' : formatValue(earlier.tag, point.value);
}

function Extremes({ series }: { readonly series: Series | undefined }) {
  const { startMs, endMs } = useStore(app, (state) => state.window);
  const kind = series === undefined ? 'text' : valueKind(series.tag);
  const extent =
    series === undefined || kind === 'text' || kind === 'state' ? undefined : extentOf(series, startMs, endMs, isGood);
  return (
    <>
      <td class="number extreme">
        {series === undefined || extent === undefined ? '–' : formatBare(series.tag, extent.min)}
      </td>
      <td class="number extreme">
        {series === undefined || extent === undefined ? '–' : formatBare(series.tag, extent.max)}
      </td>
      <td class="number points">{series === undefined ? '–' : pointsText(series)}</td>
    </>
  );
}

/** How many points the window holds. */
function pointsText({ reducedFrom, timesMs }: Series): string {
  return Math.max(reducedFrom ?? 0, timesMs.length).toLocaleString('en-US');
}

export function hasScale(tag: TagDefinition): boolean {
  const kind = valueKind(tag);
  return kind === 'line' || kind === 'step';
}
