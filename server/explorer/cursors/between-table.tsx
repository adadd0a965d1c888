// Statistics of the trend's tags between two times.

import { useEffect, useState } from 'preact/hooks';
import { tagKey, tagsOnly } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { readRow, type StatisticsRow } from '../statistics/statistics-state.ts';
import { STATISTICS_COLUMNS, statisticsTexts } from '../statistics/statistics-texts.ts';

export function BetweenTable({ startMs, endMs }: TimeWindow) {
  const refs = useStore(app, ({ view }) => view.tags);
  const [rows, setRows] = useState<ReadonlyMap<string, StatisticsRow>>(new Map());
  useEffect(() => {
    const closing = new AbortController();
    setRows(new Map());
    void readAll({ startMs, endMs }, closing.signal, setRows);
    return () => closing.abort();
  }, [startMs, endMs, refs]);
  if (endMs <= startMs) return <p class="muted">There is no time between a cursor and itself.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="cursor-table" aria-label="Statistics between the cursors" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Tag</th>
            {STATISTICS_COLUMNS.map(({ label, title }) => (
              <th key={label} scope="col" class="number" title={title}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tagsOnly(refs).map((ref) => (
            <tr key={tagKey(ref)}>
              <th scope="row">{ref.name}</th>
              <Cells row={rows.get(tagKey(ref))} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cells({ row }: { readonly row: StatisticsRow | undefined }) {
  if (row?.kind !== 'read') return <td colSpan={STATISTICS_COLUMNS.length}>{row === undefined ? '…' : row.reason}</td>;
  return (
    <>
      {statisticsTexts(row.statistics, row.spanMs).map(({ text, title }, index) => (
        <td key={STATISTICS_COLUMNS[index]?.label} class="number" title={title}>
          {text}
        </td>
      ))}
    </>
  );
}

/** One tag after the other, as the table of the trend does. */
async function readAll(
  window: TimeWindow,
  signal: AbortSignal,
  show: (next: (rows: ReadonlyMap<string, StatisticsRow>) => ReadonlyMap<string, StatisticsRow>) => void,
): Promise<void> {
  if (window.endMs <= window.startMs) return;
  for (const ref of tagsOnly(app.get().view.tags)) {
    const row = await readRow(ref, window, signal);
    if (signal.aborted) return;
    if (row !== undefined) show((rows) => new Map(rows).set(tagKey(ref), row));
  }
}
