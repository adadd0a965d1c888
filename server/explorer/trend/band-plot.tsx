// The canvases of a trend, wherever it is shown: a band, and the time axis below the bands.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ShownTrend } from '../boards/tile-trend.ts';
import { px } from '../controls/px.ts';
import { tagKey } from '../model/tags/tag.ts';
import type { Band } from '../model/trend/bands.ts';
import { type StatusSpan, statusSpans } from '../model/trend/status-spans.ts';
import type { BandPicture } from '../paint/band-picture.ts';
import type { Colours } from '../paint/colours.ts';
import { TIME_AXIS_PX } from '../paint/layout.ts';
import { createPlot } from '../paint/plot.ts';
import { createTimeAxis } from '../paint/time-axis.ts';
import { BandTitle } from './band-title.tsx';

/** What is drawn, and when it has changed. */
export interface TrendSource {
  get(): Omit<ShownTrend, 'fault'>;
  watch(listener: () => void): () => void;
}

interface TimeAxisProps {
  readonly source: TrendSource;
  readonly colours: Colours;
  readonly widthPx: number;
  readonly rightPx: number;
}

export function TimeAxisPlot({ source, colours, widthPx, rightPx }: TimeAxisProps) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (host.current === null) return undefined;
    const axis = createTimeAxis(host.current, { widthPx, rightPx }, colours);
    axis.show(source.get().window);
    const unwatch = source.watch(() => axis.show(source.get().window));
    return () => {
      unwatch();
      axis.destroy();
    };
  }, [source, colours, widthPx, rightPx]);
  return <div class="time-axis" ref={host} aria-hidden="true" style={{ height: px(TIME_AXIS_PX) }} />;
}

interface BandProps extends TimeAxisProps {
  readonly band: Band;
  readonly heightPx: number;
  /** Said over the band. */
  readonly children?: ComponentChildren;
}

export function BandPlot({ source, band, colours, widthPx, heightPx, rightPx, children }: BandProps) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (host.current === null) return undefined;
    const shape = { widthPx, heightPx, rightPx };
    const made = createPlot(host.current, shape, pictureOf(source, band, colours));
    const unwatch = source.watch(() => made.show(pictureOf(source, band, colours)));
    return () => {
      unwatch();
      made.destroy();
    };
  }, [source, band, colours, widthPx, heightPx, rightPx]);
  return (
    <div class={`band ${band.kind}`}>
      <div class="band-canvas" ref={host} aria-hidden="true" style={{ height: px(heightPx) }} />
      <BandTitle refs={source.get().tags} band={band} colours={colours} rightPx={rightPx} />
      {children}
    </div>
  );
}

function pictureOf(source: TrendSource, band: Band, colours: Colours): BandPicture {
  const { window, nowMs, read, series, earlier, statuses, tags, axes } = source.get();
  const refs = band.axes.flatMap(({ members }) => members.map(({ index }) => index));
  const pick = <T,>(from: ReadonlyMap<string, T>): Map<number, T> =>
    new Map(
      refs.flatMap((index) => {
        const ref = tags[index];
        const one = ref === undefined ? undefined : from.get(tagKey(ref));
        return one === undefined ? [] : [[index, one] as const];
      }),
    );
  const datasets = new Set(refs.flatMap((index) => tags[index]?.dataset ?? []));
  const spans: StatusSpan[] = [...datasets].flatMap((dataset) => {
    const status = statuses.get(dataset);
    return status === undefined ? [] : statusSpans(status, window, nowMs);
  });
  const settings = new Map(
    refs.flatMap((index) => {
      const ref = tags[index];
      const found = ref === undefined ? undefined : axes.get(tagKey(ref));
      return found === undefined ? [] : [[index, found] as const];
    }),
  );
  const lines = { series: pick(series), earlier: pick(earlier) };
  return { window, nowMs, read, band, ...lines, statuses: spans, settings, colours };
}
