// The trend: bands one above the other with one cursor, the strip of the whole history below, and the table of values.

import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { loadedPart } from '../controls/loaded-part.tsx';
import { HighlightNote } from '../distribution/highlight.tsx';
import { isCalculated, type LineRef, type TagDefinition, tagKey } from '../model/tags/tag.ts';
import { arrangeBands, bandHeights } from '../model/trend/bands.ts';
import { calculatedDefinition } from '../model/trend/calculated.ts';
import { type Colours, readColours } from '../paint/colours.ts';
import { LEFT_PX, RIGHT_AXIS_PX, RIGHT_PX } from '../paint/layout.ts';
import { PaperAnnotations, PaperHead } from '../paper/paper-head.tsx';
import { PAPER_CHART, paper } from '../paper/paper-state.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { SHARES_PX, StateShares, useBandsWithShares } from '../time-in-state/state-shares.tsx';
import { themeChanges } from '../user/theme.ts';
import { BandNotes } from './band-notes.tsx';
import { BandPlot, TimeAxisPlot, type TrendSource } from './band-plot.tsx';
import { ChartSurface } from './chart-surface.tsx';
import { ContextStrip } from './context-strip.tsx';
import { setTrendWidth } from './trend.ts';
import { ValueTable } from './value-table.tsx';

const CorrectionLayer = loadedPart(async () => (await import('../corrections/correction-layer.tsx')).CorrectionLayer);

export function TrendView() {
  const theme = useStore(themeChanges, ({ count }) => count);
  const colours = useMemo(readColours, [theme]);
  const printedAtMs = useStore(paper, (state) => state.printedAtMs);
  const isPrinted = printedAtMs !== undefined;
  return (
    <>
      {isPrinted ? <PaperHead printedAtMs={printedAtMs} /> : null}
      <HighlightNote />
      <Chart key={theme} colours={colours} isPrinted={isPrinted} />
      <div class="below">
        <ContextStrip colours={colours} />
        <ValueTable />
      </div>
      {isPrinted ? <PaperAnnotations /> : null}
    </>
  );
}

interface ChartProps {
  readonly colours: Colours;
  readonly isPrinted: boolean;
}

function Chart({ colours, isPrinted }: ChartProps) {
  const bandsHost = useRef<HTMLDivElement>(null);
  const screen = useInnerSize(bandsHost);
  const { widthPx, heightPx } = isPrinted ? PAPER_CHART : screen;
  const tags = useStore(app, ({ view }) => view.tags);
  const layout = useStore(app, ({ view }) => view.layout);
  const definitions = useDefinitions(tags);
  const bands = useMemo(() => arrangeBands(definitions, layout), [definitions, layout]);
  const isLoading = useStore(app, (state) => state.isLoading);
  const rightPx = RIGHT_PX + Math.max(0, ...bands.map(({ axes }) => axes.length - 1)) * RIGHT_AXIS_PX;
  useEffect(() => {
    if (!isPrinted) setTrendWidth(widthPx - LEFT_PX - rightPx);
  }, [isPrinted, widthPx, rightPx]);
  // A line between two bands.
  const shared = useBandsWithShares(tags, bands);
  const heights = bandHeights(bands, heightPx - (bands.length - 1) - shared.size * SHARES_PX);
  return (
    <div class={isLoading ? 'chart loading' : 'chart'}>
      <ChartSurface
        leftPx={LEFT_PX}
        rightPx={rightPx}
        widthPx={widthPx}
        bandsHost={bandsHost}
        timeAxis={
          widthPx === 0 ? null : (
            <TimeAxisPlot source={trendSource} colours={colours} widthPx={widthPx} rightPx={rightPx} />
          )
        }
      >
        {widthPx === 0
          ? null
          : bands.map((band, index) => (
              <Fragment key={band.key}>
                <BandPlot
                  source={trendSource}
                  band={band}
                  colours={colours}
                  widthPx={widthPx}
                  heightPx={heights[index] ?? 0}
                  rightPx={rightPx}
                >
                  <BandNotes band={band} />
                  <CorrectionLayer band={band} widthPx={widthPx} rightPx={rightPx} />
                </BandPlot>
                <StateShares member={shared.get(band.key)} rightPx={rightPx} />
              </Fragment>
            ))}
      </ChartSurface>
    </div>
  );
}

const trendSource: TrendSource = {
  get: () => ({ ...app.get(), ...app.get().view }),
  watch: app.watch,
};

/** Without the scroll bar. */
export function useInnerSize(host: { readonly current: HTMLElement | null }): { widthPx: number; heightPx: number } {
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

/** The lines of the trend as last read or listed; a new array only when one of them has changed. */
function useDefinitions(tags: readonly LineRef[]): readonly TagDefinition[] {
  const series = useStore(app, (state) => state.series);
  const listings = useStore(app, (state) => state.listings);
  const found = tags.map((ref) => {
    const shown = series.get(tagKey(ref))?.tag;
    if (isCalculated(ref)) return shown ?? calculatedDefinition(ref);
    if (shown?.aggregate !== undefined) return shown;
    const listing = listings.get(ref.dataset);
    return (
      listing?.User.find(({ n }) => n === ref.name) ??
      listing?.System.find(({ n }) => `$System.${n}` === ref.name) ??
      shown ?? { n: ref.name }
    );
  });
  const key = JSON.stringify(found);
  return useMemo(() => found, [key]);
}
