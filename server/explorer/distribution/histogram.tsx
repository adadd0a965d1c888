// For which part of the time a tag had values of which class.

import { useState } from 'preact/hooks';
import { formatPercent } from '../model/values/percent-text.ts';
import { formatBare, formatValue } from '../model/values/value-text.ts';
import type { Averages } from './averages.ts';
import { type Brush, isMarked } from './brush.ts';
import { classesOf, largest, meanOf, medianOf, type ValueClass } from './distribution.ts';
import { MarkedPart } from './marked-part.tsx';
import { type Plane, PlotFrame, xIn } from './plot-frame.tsx';

export function Histogram({ tag, values, timesMs, intervalMs, timeMean }: Averages) {
  const [brush, setBrush] = useState<Brush>();
  const usable = values.filter((value) => !Number.isNaN(value));
  const classes = classesOf(usable);
  const [first, last] = [classes[0], classes.at(-1)];
  if (first === undefined || last === undefined) return <p class="muted">There is no good value in the window.</p>;
  const share = ({ count }: ValueClass): number => (100 * count) / usable.length;
  const most = largest(classes.map(share));
  const plane: Plane = { x: { from: first.from, to: last.to }, y: { from: 0, to: most } };
  const marks = [
    ['mean', timeMean ?? meanOf(usable)],
    ['median', medianOf(usable)],
  ] as const;
  const bare = (value: number): string => formatBare(tag, value);
  return (
    <>
      <PlotFrame
        label={`Shares of time of the values of ${tag.n}`}
        plane={plane}
        xTexts={[bare(first.from), bare((first.from + last.to) / 2), formatValue(tag, last.to)]}
        yTexts={['0 %', formatPercent(most)]}
        brush={brush}
        onBrush={setBrush}
        marksAcrossOnly
      >
        {({ width, height }) => (
          <>
            {classes.map((one) => (
              <rect
                key={one.from}
                class="distribution-bar"
                x={xIn(plane, width, one.from) + 0.5}
                width={Math.max(1, xIn(plane, width, one.to) - xIn(plane, width, one.from) - 1)}
                y={height * (1 - share(one) / most)}
                height={(height * share(one)) / most}
              >
                <title>{`${bare(one.from)} to ${bare(one.to)}: ${formatPercent(share(one))}`}</title>
              </rect>
            ))}
            {marks.map(([name, value]) => (
              <line
                key={name}
                class={`distribution-mark ${name}`}
                x1={xIn(plane, width, value)}
                x2={xIn(plane, width, value)}
                y1={0}
                y2={height}
              />
            ))}
          </>
        )}
      </PlotFrame>
      <MarkedPart
        brush={brush}
        onBrush={setBrush}
        plane={plane}
        across={tag}
        up={undefined}
        timesMs={brush === undefined ? [] : timesMs.filter((_, i) => isMarked(brush, values[i] as number, 0))}
        intervalMs={intervalMs}
      />
      <p>{marks.map(([name, value]) => `${name} over time ${formatValue(tag, value)}`).join(', ')}</p>
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col">Share of the time</th>
            </tr>
          </thead>
          <tbody>
            {classes.map((one) => (
              <tr key={one.from}>
                <td class="number">{bare(one.from)}</td>
                <td class="number">{bare(one.to)}</td>
                <td class="number">{formatPercent(share(one))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
