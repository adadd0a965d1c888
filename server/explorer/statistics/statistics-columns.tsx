// The columns of the table that show statistics of the window: their heads, the cells of a tag, and what is said of them.

import { useEffect } from 'preact/hooks';
import { type TagRef, tagKey } from '../model/tags/tag.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { followStatistics, statistics } from './statistics-state.ts';
import { beyondTexts, SAMPLED, STATISTICS_COLUMNS, type StatisticsText, statisticsTexts } from './statistics-texts.ts';
import type { BeyondTime } from './time-beyond.ts';

/** Statistics are read while it is there. */
export function StatisticsHeads() {
  useEffect(followStatistics, []);
  return (
    <>
      {STATISTICS_COLUMNS.map(({ label, title }) => (
        <th key={label} scope="col" class="number" title={title}>
          {label}
        </th>
      ))}
      {useHasLimits() ? (
        <th scope="col" class="number" title="Share of the time with a good value in which it was beyond each limit">
          Beyond limits
        </th>
      ) : null}
    </>
  );
}

export function StatisticsCells({ tagRef }: { readonly tagRef: TagRef }) {
  const row = useStore(statistics, ({ rows }) => rows.get(tagKey(tagRef)));
  const view = useStore(app, (state) => state.view);
  const hasLimits = useHasLimits();
  if (row === undefined) return <WholeCell text="…" title="Being read" />;
  if (row.kind === 'refused') return <WholeCell text={`– ${row.reason}`} title={row.reason} />;
  const style = row.view === view ? 'number' : 'number earlier-range';
  return (
    <>
      {statisticsTexts(row.statistics, row.spanMs).map((one, index) => (
        <td key={STATISTICS_COLUMNS[index]?.label} class={style} title={one.title}>
          {one.text}
          <Spoken {...one} />
        </td>
      ))}
      {hasLimits ? <BeyondCell beyond={row.beyond} style={style} /> : null}
    </>
  );
}

/** Whether a tag of the trend has limits: else there is no column for them. */
function useHasLimits(): boolean {
  return useStore(statistics, ({ rows }) =>
    [...rows.values()].some((row) => row.kind === 'read' && row.beyond !== undefined),
  );
}

function BeyondCell({ beyond, style }: { readonly beyond: BeyondTime | undefined; readonly style: string }) {
  const { text, title } = beyondTexts(beyond);
  return (
    <td class={style} title={title}>
      {text}
      <Spoken text={text} title={title} />
    </td>
  );
}

/** For who cannot point: times, and why there is a dash. More digits of the same are not said. */
function Spoken({ text, title }: StatisticsText) {
  return text === title || !Number.isNaN(Number(title)) ? null : <span class="hidden"> ({title})</span>;
}

function WholeCell({ text, title }: StatisticsText) {
  const columns = STATISTICS_COLUMNS.length + (useHasLimits() ? 1 : 0);
  return (
    <td class="reason" colSpan={columns} title={title}>
      {text}
    </td>
  );
}

/** Below the table: what is not exact, and what could not be read. */
export function StatisticsNotes() {
  const rows = useStore(statistics, (state) => state.rows);
  const read = [...rows.values()].flatMap((row) => (row.kind === 'read' ? [row.statistics] : []));
  const damaged = read.filter(({ gaps }) => gaps !== undefined).map(({ t }) => t.n);
  const isSampled = read.some(({ percentiles }) => percentiles?.of === 'sample');
  return (
    <>
      {isSampled ? <p class="table-note">≈ {SAMPLED}</p> : null}
      {damaged.length === 0 ? null : (
        <p class="table-note bad">Without points that cannot be read, of {damaged.join(', ')}</p>
      )}
    </>
  );
}
