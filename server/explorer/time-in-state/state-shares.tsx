// Below the band of a tag with states: how the time of the window is shared among them. It has no time axis, so the line of
// the cursor does not cross it.

import { useEffect } from 'preact/hooks';
import { px } from '../controls/px.ts';
import { isCalculated, type LineRef, tagKey } from '../model/tags/tag.ts';
import { formatSpan } from '../model/time/duration-text.ts';
import type { Band, BandMember } from '../model/trend/bands.ts';
import { formatPercent } from '../model/values/percent-text.ts';
import { SERIES_COLOURS } from '../paint/colours.ts';
import { LEFT_PX } from '../paint/layout.ts';
import { openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { shadeStyle } from './shades.ts';
import { byDuration, longestStates, MOST_STATES, type StateTime } from './state-time.ts';
import { followStates, type StateRow, states } from './states-state.ts';

export const SHARES_PX = 32;

/** The tags that have a bar, by the key of their band. Follows the window while it is used. */
export function useBandsWithShares(refs: readonly LineRef[], bands: readonly Band[]): ReadonlyMap<string, BandMember> {
  useEffect(followStates, []);
  const rows = useStore(states, (state) => state.rows);
  return new Map(
    bands.flatMap((band) => {
      const member = band.axes[0]?.members[0];
      const ref = member === undefined ? undefined : refs[member.index];
      if (member === undefined || ref === undefined) return [];
      return hasShares(band, rows.get(tagKey(ref))) ? [[band.key, member] as const] : [];
    }),
  );
}

/** Texts have it while they are few. */
function hasShares({ kind }: Band, row: StateRow | undefined): boolean {
  if (kind === 'state') return true;
  return kind === 'text' && row?.kind === 'read' && row.times.length > 0 && row.times.length <= MOST_STATES;
}

interface SharesProps {
  /** Undefined for a band without a bar. */
  readonly member: BandMember | undefined;
  readonly rightPx: number;
}

export function StateShares({ member, rightPx }: SharesProps) {
  const ref = useStore(app, ({ view }) => (member === undefined ? undefined : view.tags[member.index]));
  const row = useStore(states, ({ rows }) => (ref === undefined ? undefined : rows.get(tagKey(ref))));
  if (member === undefined || ref === undefined || isCalculated(ref)) return null;
  return (
    <div
      class="state-shares"
      style={{ height: px(SHARES_PX), paddingRight: px(rightPx) }}
      // The chart would take it for a time, or for a drag.
      onPointerDown={(event) => event.stopPropagation()}
    >
      <div class="state-shares-name" style={{ width: px(LEFT_PX) }}>
        <button
          type="button"
          class="button quiet"
          aria-label={`Time in state of ${ref.name}`}
          title="Time in each state of the window, as a table"
          onClick={() => openDialog({ kind: 'states', ref })}
        >
          Time in
        </button>
      </div>
      <SharesOf row={row} name={ref.name} colour={colourOf(member.index)} />
    </div>
  );
}

export function colourOf(index: number): string {
  return `var(--series-${(index % SERIES_COLOURS) + 1})`;
}

interface SharesOfProps {
  readonly row: StateRow | undefined;
  readonly name: string;
  readonly colour: string;
}

function SharesOf({ row, name, colour }: SharesOfProps) {
  if (row === undefined) return <p class="state-shares-body muted">…</p>;
  if (row.kind === 'refused') return <p class="state-shares-body muted">{row.reason}</p>;
  if (row.times.length === 0) return <p class="state-shares-body muted">No state is known here</p>;
  const times = longestStates(row.times);
  return (
    <div class="state-shares-body">
      <div
        class="state-bar"
        role="img"
        aria-label={`Time in state of ${name}: ${byDuration(times).map(spoken).join(', ')}`}
      >
        {times.map((one, index) => (
          <i
            key={index}
            title={spoken(one)}
            style={{ flexGrow: one.durationMs, background: shadeStyle(one.shade, colour), outlineColor: colour }}
          />
        ))}
      </div>
      <p class="state-legend" aria-hidden="true">
        {byDuration(times).map((one, index) => (
          <span key={index} title={spoken(one)}>
            <StateSwatch state={one} colour={colour} />
            <b>{one.name}</b> {formatPercent(one.percent)} <small>{formatSpan(one.durationMs)}</small>
          </span>
        ))}
      </p>
    </div>
  );
}

function spoken({ name, percent, durationMs }: StateTime): string {
  return `${name} ${formatPercent(percent)}, ${formatSpan(durationMs)}`;
}

export function StateSwatch({ state, colour }: { readonly state: StateTime; readonly colour: string }) {
  return <i class="state-swatch" style={{ background: shadeStyle(state.shade, colour), outlineColor: colour }} />;
}
