// The trend: bands one above the other with one cursor, the strip of the whole history below, and the table of values.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { arrangeBands, type Band, bandHeights } from '../model/bands.ts';
import type { Series } from '../model/series.ts';
import { type StatusSpan, statusSpans } from '../model/status-spans.ts';
import { type TagDefinition, type TagRef, tagKey } from '../model/tag.ts';
import { type Colours, readColours } from '../paint/colours.ts';
import { LEFT_PX, RIGHT_AXIS_PX, RIGHT_PX } from '../paint/layout.ts';
import { createPlot, type Frame, type Plot } from '../paint/plot.ts';
import { createTimeAxis } from '../paint/time-axis.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { themeChanges } from '../state/theme.ts';
import { setTrendWidth } from '../state/trend.ts';
import { BandNotes } from './band-notes.tsx';
import { BandTitle } from './band-title.tsx';
import { ChartSurface } from './chart-surface.tsx';
import { ContextStrip } from './context-strip.tsx';
import { ValueTable } from './value-table.tsx';

export function TrendView() {
  const theme = useStore(themeChanges, ({ count }) => count);
  const colours = useMemo(readColours, [theme]);
  return (
    <>
      <Chart key={theme} colours={colours} />
      <div class="below">
        <ContextStrip colours={colours} />
        <ValueTable />
      </div>
    </>
  );
}

function Chart({ colours }: { readonly colours: Colours }) {
  const bandsHost = useRef<HTMLDivElement>(null);
  const { widthPx, heightPx } = useInnerSize(bandsHost);
  const tags = useStore(app, ({ view }) => view.tags);
  const layout = useStore(app, ({ view }) => view.layout);
  const definitions = useDefinitions(tags);
  const bands = useMemo(() => arrangeBands(definitions, layout), [definitions, layout]);
  const isLoading = useStore(app, (state) => state.isLoading);
  const rightPx = RIGHT_PX + Math.max(0, ...bands.map(({ axes }) => axes.length - 1)) * RIGHT_AXIS_PX;
  useEffect(() => setTrendWidth(widthPx - LEFT_PX - rightPx), [widthPx, rightPx]);
  // A line between two bands.
  const heights = bandHeights(bands, heightPx - (bands.length - 1));
  return (
    <div class={isLoading ? 'chart loading' : 'chart'}>
      <ChartSurface
        leftPx={LEFT_PX}
        rightPx={rightPx}
        widthPx={widthPx}
        bandsHost={bandsHost}
        timeAxis={widthPx === 0 ? null : <TimeAxisPlot colours={colours} widthPx={widthPx} rightPx={rightPx} />}
      >
        {widthPx === 0
          ? null
          : bands.map((band, index) => (
              <BandPlot
                key={band.key}
                band={band}
                colours={colours}
                widthPx={widthPx}
                heightPx={heights[index] ?? 0}
                rightPx={rightPx}
              />
            ))}
      </ChartSurface>
    </div>
  );
}

/** Without the scroll bar. */
function useInnerSize(host: { readonly current: HTMLElement | null }): { widthPx: number; heightPx: number } {
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 });
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      setSize({ widthPx: element.clientWidth, heightPx: element.clientHeight });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [host]);
  return size;
}

interface TimeAxisProps {
  readonly colours: Colours;
  readonly widthPx: number;
  readonly rightPx: number;
}

function TimeAxisPlot({ colours, widthPx, rightPx }: TimeAxisProps) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (host.current === null) return undefined;
    const axis = createTimeAxis(host.current, { widthPx, rightPx }, colours);
    axis.show(app.get().window);
    const unwatch = app.watch(() => axis.show(app.get().window));
    return () => {
      unwatch();
      axis.destroy();
    };
  }, [colours, widthPx, rightPx]);
  return <div class="time-axis" ref={host} aria-hidden="true" />;
}

/** The tags of the trend as last read or listed; a new array only when one of them has changed. */
function useDefinitions(tags: readonly TagRef[]): readonly TagDefinition[] {
  const series = useStore(app, (state) => state.series);
  const listings = useStore(app, (state) => state.listings);
  const found = tags.map((ref) => {
    const listing = listings.get(ref.dataset);
    return (
      listing?.User.find(({ n }) => n === ref.name) ??
      listing?.System.find(({ n }) => `$System.${n}` === ref.name) ??
      series.get(tagKey(ref))?.tag ?? { n: ref.name }
    );
  });
  const key = JSON.stringify(found);
  return useMemo(() => found, [key]);
}

interface BandProps {
  readonly band: Band;
  readonly colours: Colours;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rightPx: number;
}

function BandPlot({ band, colours, widthPx, heightPx, rightPx }: BandProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | undefined>(undefined);
  useLayoutEffect(() => {
    if (host.current === null) return undefined;
    const shape = { widthPx, heightPx, rightPx };
    const made = createPlot(host.current, shape, currentFrame(band, colours));
    plot.current = made;
    const unwatch = app.watch(() => made.show(currentFrame(band, colours)));
    return () => {
      unwatch();
      made.destroy();
    };
  }, [band, colours, widthPx, heightPx, rightPx]);
  return (
    <div class={`band ${band.kind}`}>
      <div class="band-canvas" ref={host} aria-hidden="true" />
      <BandTitle band={band} colours={colours} rightPx={rightPx} />
      <BandNotes band={band} />
    </div>
  );
}

function currentFrame(band: Band, colours: Colours): Frame {
  const { window, nowMs, series, earlier, statuses, view } = app.get();
  const refs = band.axes.flatMap(({ members }) => members.map(({ index }) => index));
  const pick = (from: ReadonlyMap<string, Series>): Map<number, Series> =>
    new Map(
      refs.flatMap((index) => {
        const ref = view.tags[index];
        const one = ref === undefined ? undefined : from.get(tagKey(ref));
        return one === undefined ? [] : [[index, one] as const];
      }),
    );
  const datasets = new Set(refs.flatMap((index) => view.tags[index]?.dataset ?? []));
  const spans: StatusSpan[] = [...datasets].flatMap((dataset) => {
    const status = statuses.get(dataset);
    return status === undefined ? [] : statusSpans(status, window, nowMs);
  });
  const settings = new Map(
    refs.flatMap((index) => {
      const ref = view.tags[index];
      const found = ref === undefined ? undefined : view.axes.get(tagKey(ref));
      return found === undefined ? [] : [[index, found] as const];
    }),
  );
  return { window, nowMs, band, series: pick(series), earlier: pick(earlier), statuses: spans, settings, colours };
}
