// The averages of two tags against each other: pale ones from the beginning of the window, or in the colours of a state.

import { useState } from 'preact/hooks';
import { formatTime } from '../model/time/axis-labels.ts';
import { formatValue } from '../model/values/value-text.ts';
import { SERIES_COLOURS } from '../paint/colours.ts';
import type { Averages, StateColumn } from './averages.ts';
import { type Brush, isMarked } from './brush.ts';
import { correlationOf, largest, smallest } from './distribution.ts';
import { MarkedPart } from './marked-part.tsx';
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
  /** States that colour the dots; undefined: time does. */
  readonly colour: StateColumn | undefined;
}

export function Scatter({ across, up, colour }: ScatterProps) {
  const [brush, setBrush] = useState<Brush>();
  const pairs = pairsOf(across, up);
  if (pairs.length === 0) return <p class="muted">Both have no good value at the same time in the window.</p>;
  const [xs, ys] = [pairs.map(({ x }) => x), pairs.map(({ y }) => y)];
  const plane: Plane = { x: { from: smallest(xs), to: largest(xs) }, y: { from: smallest(ys), to: largest(ys) } };
  const correlation = correlationOf(xs, ys);
  const regression = regressionOf(xs, ys);
  const line = regression === undefined ? undefined : lineInPlane(regression, plane);
  const spanMs = (across.timesMs.at(-1) ?? 0) - (across.timesMs[0] ?? 0);
  const states = colour === undefined ? [] : [...new Set(colour.textAt.values())].sort();
  const dotLook = (timeMs: number, share: number) => {
    if (colour === undefined) return { opacity: LEAST_OPACITY + (1 - LEAST_OPACITY) * share };
    const text = colour.textAt.get(timeMs);
    return { style: { fill: text === undefined ? 'var(--muted)' : stateColour(states.indexOf(text)) } };
  };
  const stateBehind = (timeMs: number): string =>
    colour === undefined ? '' : `, ${colour.textAt.get(timeMs) ?? 'no state'}`;
  return (
    <>
      <PlotFrame
        label={`${up.tag.n} over ${across.tag.n}`}
        plane={plane}
        xTexts={[formatValue(across.tag, plane.x.from), across.tag.n, formatValue(across.tag, plane.x.to)]}
        yTexts={[formatValue(up.tag, plane.y.from), formatValue(up.tag, plane.y.to)]}
        brush={brush}
        onBrush={setBrush}
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
                {...dotLook(timeMs, (i + 1) / pairs.length)}
                onClick={() => showInTrend(timeMs)}
              >
                <title>
                  {`${formatTime(timeMs, spanMs)}: ${formatValue(across.tag, x)}, ${formatValue(up.tag, y)}${stateBehind(timeMs)}`}
                </title>
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
      {colour === undefined ? null : <Legend states={states} name={colour.tag.n} />}
      <MarkedPart
        brush={brush}
        onBrush={setBrush}
        plane={plane}
        across={across.tag}
        up={up.tag}
        timesMs={
          brush === undefined ? [] : pairs.filter(({ x, y }) => isMarked(brush, x, y)).map(({ timeMs }) => timeMs)
        }
        intervalMs={across.intervalMs}
      />
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

function stateColour(place: number): string {
  return `var(--series-${(place % SERIES_COLOURS) + 1})`;
}

/** The states by name, each with its colour; dots of none of them are grey. */
function Legend({ states, name }: { readonly states: readonly string[]; readonly name: string }) {
  return (
    <ul class="distribution-legend" aria-label={`Colours of ${name}`}>
      {states.map((text, i) => (
        <li key={text}>
          <i class="swatch" style={{ background: stateColour(i), borderColor: stateColour(i) }} /> {text}
        </li>
      ))}
    </ul>
  );
}

function pairsOf(across: Averages, up: Averages): Pair[] {
  const upAt = new Map(up.timesMs.map((timeMs, i) => [timeMs, up.values[i] as number]));
  return across.timesMs.flatMap((timeMs, i) => {
    const [x, y] = [across.values[i] as number, upAt.get(timeMs) ?? Number.NaN];
    return Number.isNaN(x) || Number.isNaN(y) ? [] : [{ timeMs, x, y }];
  });
}
