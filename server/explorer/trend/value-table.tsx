// The tags of the trend with their values under the cursor, or now; or with statistics of the window.

import type { ComponentChildren } from 'preact';
import { FaultRow, NoStatistics } from '../calculated/calculated-cells.tsx';
import { MiddleText } from '../controls/middle-text.tsx';
import { Swatch } from '../controls/swatch.tsx';
import { isCalculated, isSystemName, type LineRef, tagKey } from '../model/tags/tag.ts';
import { commonStart } from '../model/tags/tag-names.ts';
import { formatTime } from '../model/time/axis-labels.ts';
import { wholeSecond } from '../model/trend/open-interval.ts';
import { app, cursor } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { ColumnsChoice } from '../statistics/columns-choice.tsx';
import { StatisticsCells, StatisticsHeads, StatisticsNotes } from '../statistics/statistics-columns.tsx';
import { RowActions } from './row-actions.tsx';
import { hasScale, ValueCells, ValueHeads } from './value-columns.tsx';

export function ValueTable() {
  const tags = useStore(app, ({ view }) => view.tags);
  const hasEarlier = useStore(app, ({ earlier }) => earlier.size > 0);
  const chosen = useStore(app, ({ view }) => view.compare);
  const compared = hasEarlier ? chosen : [];
  const cursorMs = useStore(cursor, (state) => state.timeMs);
  const { startMs, endMs } = useStore(app, (state) => state.window);
  const nowMs = useStore(app, ({ nowMs }) => wholeSecond(nowMs));
  const atMs = cursorMs ?? Math.min(endMs, Math.max(nowMs, startMs));
  const isDown = useStore(app, ({ fault }) => fault !== undefined);
  const isNow = cursorMs === undefined && nowMs <= endMs + 2000 && !isDown;
  const when = isNow ? 'now' : formatTime(atMs, endMs - startMs);
  const markedMs = useStore(cursor, (state) => state.markedMs);
  const hasStatistics = useStore(app, ({ view }) => view.table === 'statistics');
  const comparing = hasEarlier || markedMs !== undefined ? 'values compared' : 'values';
  return (
    <section
      class={hasStatistics ? 'values statistics' : comparing}
      aria-label={hasStatistics ? 'Statistics' : 'Values'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
    >
      <table>
        <Head>
          {hasStatistics ? (
            <StatisticsHeads />
          ) : (
            <ValueHeads when={when} atMs={atMs} compared={compared} markedMs={markedMs} />
          )}
        </Head>
        <tbody>
          {tags.map((ref, index) => (
            <TagRow key={tagKey(ref)} tagRef={ref} index={index}>
              {hasStatistics ? (
                <Statistics tagRef={ref} />
              ) : (
                <ValueCells
                  tagRef={ref}
                  atMs={atMs}
                  when={isNow ? 'now' : 'then'}
                  compared={compared}
                  markedMs={markedMs}
                />
              )}
            </TagRow>
          ))}
        </tbody>
      </table>
      {hasStatistics ? <StatisticsNotes /> : null}
    </section>
  );
}

function Statistics({ tagRef }: { readonly tagRef: LineRef }) {
  return isCalculated(tagRef) ? <NoStatistics /> : <StatisticsCells tagRef={tagRef} />;
}

function Head({ children }: { readonly children: ComponentChildren }) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span class="tag-word">Tag</span>
          <ColumnsChoice />
        </th>
        {children}
        <th scope="col">
          <span class="hidden">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

interface RowProps {
  readonly tagRef: LineRef;
  readonly index: number;
  readonly children: ComponentChildren;
}

function TagRow({ tagRef, index, children }: RowProps) {
  const series = useStore(app, (state) => state.series.get(tagKey(tagRef)));
  const chosen = useStore(app, ({ view }) => view.dataset);
  const isSystem = isSystemName(tagRef.name) && !isCalculated(tagRef);
  const common = useStore(app, ({ view }) => commonStart(view.tags.map(({ name }) => name)));
  return (
    <>
      <tr>
        <th scope="row">
          <div class="tag-cell">
            <Swatch place={index} />
            <MiddleText class="tag-name" text={isSystem ? tagRef.name.slice(8) : tagRef.name} common={common} />
            {tagRef.dataset === chosen ? null : <small class="muted dataset-name">{tagRef.dataset}</small>}
            {series?.tag.aggregate === undefined ? null : <small class="aggregate">{series.tag.aggregate}</small>}
            {series?.tag.d === undefined ? null : <small class="muted description">{series.tag.d}</small>}
          </div>
        </th>
        {children}
        <td class="actions">
          <RowActions tagRef={tagRef} hasScale={series !== undefined && hasScale(series.tag)} />
        </td>
      </tr>
      {series?.fault === undefined ? null : <FaultRow fault={series.fault} />}
    </>
  );
}
