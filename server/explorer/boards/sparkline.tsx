// The recent past of a value on its tile, without axes, with the limits that are near.

import { useEffect, useState } from 'preact/hooks';
import { readTags } from '../api/historian.ts';
import { serverNowMs, withLimit } from '../api/http.ts';
import type { TagRef } from '../model/tags/tag.ts';
import { resolveRange, type TimeRange, type TimeWindow } from '../model/time/time-range.ts';
import { extentOf, type Series } from '../model/trend/series.ts';
import { isOuter, nearLimits, tagLimits } from '../model/values/limits.ts';
import { valueKind } from '../model/values/value-kind.ts';
import { sparkOf } from '../model/views/spark-path.ts';
import { pause, READ_LIMIT_MS } from './tile-trend.ts';

const REFRESH_MS = 10_000;
const POINTS = 150;
/** Time that is shown while the trends of the dashboard have none in common. */
const USUAL_RANGE: TimeRange = { from: '-1h', to: 'now' };

interface SparkProps {
  readonly tagRef: TagRef;
  readonly range: TimeRange | undefined;
}

interface Shown {
  readonly series: Series;
  readonly window: TimeWindow;
}

export function Sparkline({ tagRef, range = USUAL_RANGE }: SparkProps) {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const closing = new AbortController();
    void follow(tagRef, range, setShown, closing.signal);
    return () => closing.abort();
  }, [tagRef.dataset, tagRef.name, range.from, range.to]);
  if (shown === undefined || valueKind(shown.series.tag) === 'text') return <div class="sparkline" />;
  const { series, window } = shown;
  const own = extentOf(series, window.startMs, window.endMs);
  const limits = own === undefined ? [] : nearLimits(tagLimits(series.tag), own.min, own.max);
  const all = [...(own === undefined ? [] : [own.min, own.max]), ...limits.map(({ value }) => value)];
  const extent = own === undefined ? undefined : { min: Math.min(...all), max: Math.max(...all) };
  const { path, y } = sparkOf(series, window, extent, valueKind(series.tag) !== 'line');
  return (
    <svg class="sparkline" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {limits.map(({ kind, value }) => (
        <line key={kind} class={isOuter(kind) ? 'outer' : ''} x1="0" x2="100" y1={y(value)} y2={y(value)} />
      ))}
      <path d={path} />
    </svg>
  );
}

async function follow(
  { dataset, name }: TagRef,
  range: TimeRange,
  show: (shown: Shown) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const window = resolveRange(range, serverNowMs());
    const known = { ...window, endMs: Math.max(window.startMs + 1, Math.min(window.endMs, serverNowMs())) };
    try {
      const request = { ...known, points: POINTS, isCarried: true, signal: withLimit(signal, READ_LIMIT_MS) };
      const [series] = document.hidden ? [] : await readTags(dataset, [name], request);
      if (!signal.aborted && series !== undefined) show({ series, window: known });
    } catch {
      // The value of the tile says that the server does not answer; the line of before stays.
    }
    await pause(REFRESH_MS, signal);
  }
}
