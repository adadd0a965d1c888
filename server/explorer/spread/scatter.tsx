// The averages of two tags against each other, pale ones from the beginning of the window.

import { formatTime } from '../model/time/axis-labels.ts';
import { formatValue } from '../model/values/value-text.ts';
import type { Averages } from './averages.ts';
import { correlationOf, largest, smallest } from './distribution.ts';
import { type Pair, PairTable } from './pair-table.tsx';
import { type Plane, PlotFrame, xIn, yIn } from './plot-frame.tsx';
import { lineInPlane, regressionOf, regressionText } from './regression.ts';
import { showInTrend } from './show-in-trend.ts';

const DOT_PX = 2.5;
/** Opacity of the oldest dots. */
const LEAST_OPACITY = 0.15;

interface ScatterProps {
  readonly across: Averages;
  readonly up: Averages;
}

export function Scatter({ across, up }: ScatterProps) {
  const pairs = pairsOf(across, up);
  if (pairs.length === 0) return <p class="muted">Both have no good value at the same time in the window.</p>;
  const [xs, ys] = [pairs.map(({ x }) => x), pairs.map(({ y }) => y)];
  const plane: Plane = { x: { from: smallest(xs), to: largest(xs) }, y: { from: smallest(ys), to: largest(ys) } };
  const correlation = correlationOf(xs, ys);
  const regression = regressionOf(xs, ys);
  const line = regression === undefined ? undefined : lineInPlane(regression, plane);
  const spanMs = (across.timesMs.at(-1) ?? 0) - (across.timesMs[0] ?? 0);
  return (
    <>
      <PlotFrame
        label={`${up.tag.n} over ${across.tag.n}`}
        plane={plane}
        xTexts={[formatValue(across.tag, plane.x.from), across.tag.n, formatValue(across.tag, plane.x.to)]}
        yTexts={[formatValue(up.tag, plane.y.from), formatValue(up.tag, plane.y.to)]}
      >
        {({ width, height }) => (
          <>
            {pairs.map(({ timeMs, x, y }, i) => (
              // biome-ignore lint/a11y/noStaticElementInteractions: the table has a button for the same
              <circle
                key={timeMs}
                class="distribution-dot"
                cx={xIn(plane, width, x)}
                cy={yIn(plane, height, y)}
                r={DOT_PX}
                opacity={LEAST_OPACITY + ((1 - LEAST_OPACITY) * (i + 1)) / pairs.length}
                onClick={() => showInTrend(timeMs)}
              >
                <title>{`${formatTime(timeMs, spanMs)}: ${formatValue(across.tag, x)}, ${formatValue(up.tag, y)}`}</title>
              </circle>
            ))}
            {line === undefined ? null : (
              <line
                class="distribution-mark"
                x1={xIn(plane, width, line[0][0])}
                y1={yIn(plane, height, line[0][1])}
                x2={xIn(plane, width, line[1][0])}
                y2={yIn(plane, height, line[1][1])}
              />
            )}
          </>
        )}
      </PlotFrame>
      <p>
        {Number.isNaN(correlation)
          ? `${pairs.length} pairs; one of the two does not vary, so there is no correlation`
          : `${pairs.length} pairs, correlation ${correlation.toFixed(2)}`}
      </p>
      {regression === undefined ? null : <p>{regressionText(regression, across.tag.n, up.tag.n)}</p>}
      <PairTable pairs={pairs} across={across.tag} up={up.tag} spanMs={spanMs} />
    </>
  );
}

function pairsOf(across: Averages, up: Averages): Pair[] {
  const upAt = new Map(up.timesMs.map((timeMs, i) => [timeMs, up.values[i] as number]));
  return across.timesMs.flatMap((timeMs, i) => {
    const [x, y] = [across.values[i] as number, upAt.get(timeMs) ?? Number.NaN];
    return Number.isNaN(x) || Number.isNaN(y) ? [] : [{ timeMs, x, y }];
  });
}
