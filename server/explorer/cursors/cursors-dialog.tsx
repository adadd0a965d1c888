// The cursors that stay: the values at each, and statistics between two of them.

import '../styles/cursors.css';
import { useState } from 'preact/hooks';
import { Choice } from '../controls/choice.tsx';
import { Modal } from '../controls/modal.tsx';
import { Swatch } from '../controls/swatch.tsx';
import { type LineRef, tagKey } from '../model/tags/tag.ts';
import { formatTime } from '../model/time/axis-labels.ts';
import { formatDistance } from '../model/time/duration-text.ts';
import { knownPointAt, wholeSecond } from '../model/trend/open-interval.ts';
import { interpolatedAt } from '../model/trend/pins.ts';
import { formatBare, formatValue, isGood, qualityText } from '../model/values/value-text.ts';
import { openDialog } from '../state/actions.ts';
import { app, cursor } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { BetweenTable } from './between-table.tsx';

/** Times have their milliseconds. */
const TOLD_SPAN_MS = 1000;

const close = (): void => openDialog(undefined);

export function CursorsDialog() {
  const pinsMs = useStore(cursor, (state) => state.pinsMs);
  const remove = (timeMs: number): void => {
    const left = pinsMs.filter((pinMs) => pinMs !== timeMs);
    cursor.set({ pinsMs: left });
    if (left.length === 0) close();
  };
  return (
    <Modal title="Cursors" onClose={close}>
      <ValuesTable pinsMs={pinsMs} onRemove={remove} />
      {pinsMs.length < 2 ? <p class="muted">With a second cursor there are statistics between both.</p> : null}
      {pinsMs.length < 2 ? null : <Between pinsMs={pinsMs} />}
      <div class="dialog-foot">
        <button
          type="button"
          class="button"
          onClick={() => {
            cursor.set({ pinsMs: [] });
            close();
          }}
        >
          Take all away
        </button>
      </div>
    </Modal>
  );
}

interface ValuesProps {
  readonly pinsMs: readonly number[];
  readonly onRemove: (timeMs: number) => void;
}

/** A row for each cursor: a screen has more room below than beside. */
function ValuesTable({ pinsMs, onRemove }: ValuesProps) {
  const tags = useStore(app, ({ view }) => view.tags);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="cursor-table" aria-label="Values at the cursors" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Cursor</th>
            {tags.map((ref, place) => (
              <th key={tagKey(ref)} scope="col" class="number">
                <Swatch place={place} /> {ref.name}
              </th>
            ))}
            <th scope="col">
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {pinsMs.map((timeMs, index) => (
            <tr key={timeMs}>
              <th scope="row">
                {index + 1}: {formatTime(timeMs, TOLD_SPAN_MS)}
                {index === 0 ? null : <small class="muted"> {formatDistance(timeMs - (pinsMs[index - 1] ?? 0))}</small>}
              </th>
              {tags.map((ref) => (
                <ValueAt key={tagKey(ref)} lineRef={ref} timeMs={timeMs} />
              ))}
              <td>
                <button
                  type="button"
                  class="button quiet"
                  aria-label={`Take cursor ${index + 1} away`}
                  onClick={() => onRemove(timeMs)}
                >
                  ×
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** In force, and where the line is drawn between points, what it has there. */
function ValueAt({ lineRef, timeMs }: { readonly lineRef: LineRef; readonly timeMs: number }) {
  const series = useStore(app, (state) => state.series.get(tagKey(lineRef)));
  const { startMs, endMs } = useStore(app, (state) => state.read);
  const nowMs = useStore(app, (state) => wholeSecond(state.nowMs));
  const point =
    series === undefined || timeMs < startMs || timeMs > endMs ? undefined : knownPointAt(series, timeMs, nowMs);
  if (series === undefined || point === undefined) return <td class="number">–</td>;
  const between = interpolatedAt(series, timeMs);
  return (
    <td class="number">
      {formatValue(series.tag, point.value)}
      {isGood(point.quality) ? null : <small class="bad"> {qualityText(point.quality)}</small>}
      {between === undefined ? null : <small class="muted"> line {formatBare(series.tag, between)}</small>}
    </td>
  );
}

function Between({ pinsMs }: { readonly pinsMs: readonly number[] }) {
  const [from, setFrom] = useState('0');
  const [to, setTo] = useState(String(pinsMs.length - 1));
  const options = pinsMs.map(
    (timeMs, index) => [String(index), `${index + 1}: ${formatTime(timeMs, TOLD_SPAN_MS)}`] as const,
  );
  const [startMs, endMs] = [pinsMs[Number(from)] ?? pinsMs[0], pinsMs[Number(to)] ?? pinsMs.at(-1)];
  if (startMs === undefined || endMs === undefined) return null;
  return (
    <>
      <div class="field-row">
        <Choice label="Statistics from" value={from} options={options} onValue={setFrom} />
        <Choice label="to" value={to} options={options} onValue={setTo} />
      </div>
      <BetweenTable startMs={Math.min(startMs, endMs)} endMs={Math.max(startMs, endMs)} />
    </>
  );
}
