// How long a tag was in each of its states, as a table.

import { Modal } from '../controls/modal.tsx';
import { isSameTag, type TagRef, tagKey } from '../model/tags/tag.ts';
import { formatTime } from '../model/time/axis-labels.ts';
import { formatSpan } from '../model/time/duration-text.ts';
import { formatRelativeSpan } from '../model/time/relative-time.ts';
import { formatPercent } from '../model/values/percent-text.ts';
import { openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { colourOf, StateSwatch } from './state-shares.tsx';
import { byDuration, type StateTime, unknownMs } from './state-time.ts';
import { type StateRow, states } from './states-state.ts';

/** Below it a second too much or too little would show. */
const LEAST_EXACT_MS = 60_000;

export function StatesDialog({ tagRef }: { readonly tagRef: TagRef }) {
  const row = useStore(states, ({ rows }) => rows.get(tagKey(tagRef)));
  const index = useStore(app, ({ view }) => view.tags.findIndex((ref) => isSameTag(ref, tagRef)));
  return (
    <Modal title={`Time in state of ${tagRef.name}`} onClose={() => openDialog(undefined)}>
      {row?.kind === 'read' ? <StatesTable row={row} colour={colourOf(Math.max(0, index))} /> : null}
      {row?.kind === 'refused' ? <p>{row.reason}</p> : null}
    </Modal>
  );
}

function StatesTable({ row, colour }: { readonly row: StateRow & { readonly kind: 'read' }; readonly colour: string }) {
  const { startMs, endMs } = row.window;
  const leftMs = unknownMs(row.times, row.window, app.get().nowMs);
  return (
    <>
      <table class="states-table">
        <caption>
          {formatTime(startMs, endMs - startMs)} – {formatTime(endMs, endMs - startMs)}
        </caption>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Time</th>
            <th scope="col">Share</th>
            <th scope="col">Began</th>
          </tr>
        </thead>
        <tbody>
          {byDuration(row.times).map((one, index) => (
            <StateLine key={index} state={one} colour={colour} />
          ))}
        </tbody>
      </table>
      <p class="muted">Shares are of the time for which a good value is known; the last value holds until now.</p>
      {leftMs > 0 ? <p class="muted">Not known: {exactSpan(leftMs)}.</p> : null}
    </>
  );
}

function StateLine({ state, colour }: { readonly state: StateTime; readonly colour: string }) {
  return (
    <tr>
      <th scope="row">
        <StateSwatch state={state} colour={colour} />
        {state.name}
      </th>
      <td>{exactSpan(state.durationMs)}</td>
      <td>{formatPercent(state.percent)}</td>
      <td>{state.times.toLocaleString('en-US')} ×</td>
    </tr>
  );
}

function exactSpan(spanMs: number): string {
  return spanMs < LEAST_EXACT_MS ? formatSpan(spanMs) : formatRelativeSpan(spanMs);
}
