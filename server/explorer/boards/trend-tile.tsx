// A saved trend on a dashboard: drawn as the trend is, small, and following the clock by itself.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { getView } from '../api/views.ts';
import { type LineRef, tagKey } from '../model/tags/tag.ts';
import { formatBound, type TimeRange } from '../model/time/time-range.ts';
import { arrangeBands, bandHeights } from '../model/trend/bands.ts';
import type { Series } from '../model/trend/series.ts';
import { formatView, parseView, type ViewState } from '../model/trend/view-state.ts';
import { type AssetChange, renamed, viewForAsset } from '../model/views/asset.ts';
import { parseTrendContent, type SavedView } from '../model/views/saved-view.ts';
import type { Colours } from '../paint/colours.ts';
import { LEFT_PX, RIGHT_AXIS_PX, RIGHT_PX } from '../paint/layout.ts';
import { useStore } from '../state/store.ts';
import { BandPlot, TimeAxisPlot } from '../trend/band-plot.tsx';
import { useInnerSize } from '../trend/trend-view.tsx';
import { openLocal, openView } from '../views/views.ts';
import { pause, useTileTrend } from './tile-trend.ts';

/** Interval at which the page looks whether the trend was changed. */
const REFRESH_MS = 60_000;
const LEAST_SHARE = 0.6;

interface TileProps {
  /** Id of the saved trend. */
  readonly id: string;
  /** To another asset than its own. */
  readonly change: AssetChange | undefined;
  /** In place of its own; undefined: its own. */
  readonly range: TimeRange | undefined;
  readonly colours: Colours;
}

export function TrendTile({ id, change, range, colours }: TileProps) {
  const { saved, fault } = useSavedTrend(id);
  if (saved === undefined) {
    return <p class={fault === undefined ? 'tile-wait muted' : 'tile-wait tile-fault'}>{fault ?? '…'}</p>;
  }
  const link = parseView(parseTrendContent(saved.content).link);
  const own = change === undefined ? link : viewForAsset(link, change);
  const name = change === undefined ? saved.name : renamed(saved.name, change);
  const isOther = change !== undefined && change.from !== change.to;
  const open = (): void => (isOther ? openLocal(formatView(own)) : void openView(id));
  const view = range === undefined ? own : { ...own, range };
  return (
    <section class="trend-tile" aria-label={`Trend ${name}`}>
      <h3>
        <button type="button" title="Open this trend" onClick={open}>
          {name}
        </button>
        <small class="muted">
          {formatBound(view.range.from)} → {formatBound(view.range.to)}
        </small>
      </h3>
      <TileChart view={view} colours={colours} />
    </section>
  );
}

function TileChart({ view, colours }: { readonly view: ViewState; readonly colours: Colours }) {
  const host = useRef<HTMLDivElement>(null);
  const { widthPx, heightPx } = useInnerSize(host);
  const source = useTileTrend(view, Math.max(0, widthPx - LEFT_PX));
  const series = useStore(source, (state) => state.series);
  const fault = useStore(source, (state) => state.fault);
  const found = view.tags.map((ref) => series.get(tagKey(ref))?.tag ?? { n: ref.name });
  const key = JSON.stringify(found);
  const bands = useMemo(() => arrangeBands(found, view.layout), [key, view.layout]);
  const rightPx = RIGHT_PX + Math.max(0, ...bands.map(({ axes }) => axes.length - 1)) * RIGHT_AXIS_PX;
  const heights = shrunk(bandHeights(bands, heightPx - (bands.length - 1)), heightPx - bands.length);
  const shape = { source, colours, widthPx, rightPx };
  return (
    <>
      <div
        class={fault === undefined ? 'tile-bands' : 'tile-bands stale'}
        ref={host}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        role="group"
        aria-label="Curves"
      >
        {widthPx === 0
          ? null
          : bands.map((band, index) => (
              <BandPlot key={band.key} {...shape} band={band} heightPx={heights[index] ?? 0} />
            ))}
      </div>
      {widthPx === 0 ? null : <TimeAxisPlot {...shape} />}
      {fault === undefined ? null : <p class="tile-fault">{fault}</p>}
      {faultsOf(view.tags, series).map((text) => (
        <p key={text} class="tile-fault">
          {text}
        </p>
      ))}
    </>
  );
}

/** Faults of the calculated series, with their names. */
function faultsOf(refs: readonly LineRef[], series: ReadonlyMap<string, Series>): string[] {
  return refs.flatMap((ref) => {
    const fault = series.get(tagKey(ref))?.fault;
    return fault === undefined ? [] : [`${ref.name}: ${fault}`];
  });
}

/** Nobody scrolls in a control room: what is too high gives way, as far as it can be read then. */
function shrunk(heightsPx: readonly number[], totalPx: number): readonly number[] {
  const sumPx = heightsPx.reduce((sum, height) => sum + height, 0);
  const factor = Math.max(LEAST_SHARE, Math.min(1, totalPx / Math.max(1, sumPx)));
  return heightsPx.map((height) => Math.floor(height * factor));
}

interface SavedTrendState {
  readonly saved: SavedView | undefined;
  readonly fault: string | undefined;
}

/** Read again now and then: a change by somebody else is seen within a minute. */
function useSavedTrend(id: string): SavedTrendState {
  const [state, setState] = useState<SavedTrendState>({ saved: undefined, fault: undefined });
  useEffect(() => {
    const closing = new AbortController();
    void follow(id, setState, closing.signal);
    return () => closing.abort();
  }, [id]);
  return state;
}

async function follow(
  id: string,
  show: (next: (state: SavedTrendState) => SavedTrendState) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const saved = await getView(id);
      if (signal.aborted) return;
      show((state) => (state.saved?.revision === saved.revision ? state : { saved, fault: undefined }));
    } catch (error) {
      const { status } = error as { status?: number };
      // While the server does not answer, what was read stays.
      if (status === 404 || status === 403) show(() => ({ saved: undefined, fault: (error as Error).message }));
    }
    await pause(REFRESH_MS, signal);
  }
}
