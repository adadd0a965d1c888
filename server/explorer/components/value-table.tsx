// The tags of the trend with their values under the cursor, or now.

import { formatTime } from '../model/axis-labels.ts';
import { formatAge } from '../model/duration-text.ts';
import { extentOf, pointAt, type Series, type SeriesPoint } from '../model/series.ts';
import { isSystemName, type TagDefinition, type TagRef, tagKey } from '../model/tag.ts';
import { valueKind } from '../model/value-kind.ts';
import { formatBare, formatValue, isGood, type PointValue, qualityText, stateTextOf } from '../model/value-text.ts';
import { moveTag, openDialog, toggleTag } from '../state/actions.ts';
import { app, cursor } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { Icon } from './icons.tsx';
import { MiddleText } from './middle-text.tsx';
import { Swatch } from './swatch.tsx';

export function ValueTable() {
  const tags = useStore(app, ({ view }) => view.tags);
  const hasEarlier = useStore(app, ({ earlier }) => earlier.size > 0);
  const cursorMs = useStore(cursor, (state) => state.timeMs);
  const { startMs, endMs } = useStore(app, (state) => state.window);
  const nowMs = useStore(app, (state) => Math.floor(state.nowMs / 1000) * 1000 + 999);
  const atMs = cursorMs ?? Math.min(endMs, Math.max(nowMs, startMs));
  const isDown = useStore(app, ({ fault }) => fault !== undefined);
  const isNow = cursorMs === undefined && nowMs <= endMs + 2000 && !isDown;
  const when = isNow ? 'now' : formatTime(atMs, endMs - startMs);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class={hasEarlier ? 'values compared' : 'values'} aria-label="Values" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Tag</th>
            <th scope="col" class="number at">
              {when}
            </th>
            {hasEarlier ? (
              <th scope="col" class="number">
                Earlier
              </th>
            ) : null}
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
            <th scope="col">
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tags.map((ref, index) => (
            <ValueRow key={tagKey(ref)} tagRef={ref} index={index} atMs={atMs} hasEarlier={hasEarlier} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps {
  readonly tagRef: TagRef;
  readonly index: number;
  readonly atMs: number;
  readonly hasEarlier: boolean;
}

function ValueRow({ tagRef, index, atMs, hasEarlier }: RowProps) {
  const series = useStore(app, (state) => state.series.get(tagKey(tagRef)));
  const earlier = useStore(app, (state) => state.earlier.get(tagKey(tagRef)));
  const chosen = useStore(app, ({ view }) => view.dataset);
  const point = series === undefined ? undefined : pointAt(series, atMs);
  const isFine = point === undefined || isGood(point.quality);
  return (
    <tr>
      <th scope="row">
        <div class="tag-cell">
          <Swatch place={index} />
          <MiddleText class="tag-name" text={isSystemName(tagRef.name) ? tagRef.name.slice(8) : tagRef.name} />
          {tagRef.dataset === chosen ? null : <small class="muted dataset-name">{tagRef.dataset}</small>}
          {series?.tag.d === undefined ? null : <small class="muted description">{series.tag.d}</small>}
        </div>
      </th>
      <td class={isFine ? 'number strong' : 'number strong bad'}>
        {series === undefined || point === undefined ? '–' : valueText(series.tag, point.value)}
      </td>
      {hasEarlier ? <td class="number earlier">{earlier === undefined ? '–' : earlierText(earlier, atMs)}</td> : null}
      <td class={isFine ? 'quality' : 'quality bad'}>{point === undefined ? '–' : qualityText(point.quality)}</td>
      <td class="number age">{point === undefined ? '–' : formatAge(Math.max(0, atMs - point.timeMs))}</td>
      <Extremes series={series} />
      <td class="actions">
        <RowActions tagRef={tagRef} hasScale={series !== undefined && hasScale(series.tag)} />
      </td>
    </tr>
  );
}

/** A number of a state that has no text is told as such. */
function valueText(tag: TagDefinition, value: PointValue): string {
  const isState = valueKind(tag) === 'state' && value !== null;
  return isState && stateTextOf(tag, value) === undefined ? `${value} (no such state)` : formatValue(tag, value);
}

function earlierText(earlier: Series, atMs: number): string {
  const point: SeriesPoint | undefined = pointAt(earlier, atMs);
  return point === undefined ? '–' : formatValue(earlier.tag, point.value);
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

function hasScale(tag: TagDefinition): boolean {
  const kind = valueKind(tag);
  return kind === 'line' || kind === 'step';
}

function RowActions({ tagRef, hasScale }: { readonly tagRef: TagRef; readonly hasScale: boolean }) {
  const { name } = tagRef;
  return (
    <>
      {hasScale ? (
        <button
          type="button"
          class="button quiet icon-only scale"
          aria-label={`Scale of ${name}`}
          title="Scale and limits"
          onClick={() => openDialog({ kind: 'axis', ref: tagRef })}
        >
          <Icon name="scale" />
        </button>
      ) : null}
      <button
        type="button"
        class="button quiet icon-only move"
        aria-label={`Move ${name} up`}
        onClick={() => moveTag(tagRef, -1)}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        class="button quiet icon-only"
        aria-label={`Details of ${name}`}
        onClick={() => openDialog({ kind: 'tag', ref: tagRef })}
      >
        <Icon name="info" />
      </button>
      <button
        type="button"
        class="button quiet icon-only"
        aria-label={`Remove ${name}`}
        onClick={() => toggleTag(tagRef)}
      >
        <Icon name="close" />
      </button>
    </>
  );
}
