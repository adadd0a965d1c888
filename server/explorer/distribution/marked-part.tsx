// What is marked of a plot, in numbers that can be typed, and the way of its times into the trend.

import { useEffect, useState } from 'preact/hooks';
import { Field } from '../controls/field.tsx';
import type { TagDefinition } from '../model/tags/tag.ts';
import { formatSpan } from '../model/time/duration-text.ts';
import { parseNumber } from '../model/values/typed-number.ts';
import { formatValue } from '../model/values/value-text.ts';
import { type Brush, joinedSpans, lengthOf, type ValueRange } from './brush.ts';
import type { Plane } from './plot-frame.tsx';
import { shadeInTrend } from './show-in-trend.ts';

interface MarkedProps {
  readonly brush: Brush | undefined;
  readonly onBrush: (brush: Brush | undefined) => void;
  readonly plane: Plane;
  readonly across: TagDefinition;
  /** Undefined for a histogram. */
  readonly up: TagDefinition | undefined;
  /** Beginnings of the intervals that are marked. */
  readonly timesMs: readonly number[];
  readonly intervalMs: number;
}

export function MarkedPart({ brush, onBrush, plane, across, up, timesMs, intervalMs }: MarkedProps) {
  const spans = joinedSpans(timesMs, intervalMs);
  const changeX = (x: ValueRange): void => onBrush({ x, y: brush?.y });
  const changeY = (y: ValueRange): void => onBrush({ x: brush?.x ?? plane.x, y });
  return (
    <div class="marked-part" role="group" aria-label="Marked">
      {brush === undefined ? (
        <p class="muted">Drag over the plot, or type below, to mark values; their times can be shown in the trend.</p>
      ) : (
        <p role="status">
          {`Marked: ${timesMs.length.toLocaleString('en')} intervals, ${formatSpan(lengthOf(spans))}`}
          <button
            type="button"
            class="button primary"
            disabled={spans.length === 0}
            onClick={() => shadeInTrend(spans, brushText(brush, across, up))}
          >
            Show them in the trend
          </button>
          <button type="button" class="button" onClick={() => onBrush(undefined)}>
            Mark nothing
          </button>
        </p>
      )}
      <details>
        <summary>Type what is marked</summary>
        <RangeFields name={across.n} range={brush?.x ?? plane.x} onRange={changeX} />
        {up === undefined ? null : <RangeFields name={up.n} range={brush?.y ?? plane.y} onRange={changeY} />}
      </details>
    </div>
  );
}

/** A pixel is no more exact. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

function brushText({ x, y }: Brush, across: TagDefinition, up: TagDefinition | undefined): string {
  const text = (tag: TagDefinition, { from, to }: ValueRange): string =>
    `${tag.n} ${formatValue(tag, rounded(from))} to ${formatValue(tag, rounded(to))}`;
  return [text(across, x), ...(up === undefined || y === undefined ? [] : [text(up, y)])].join(', ');
}

interface FieldsProps {
  readonly name: string;
  readonly range: ValueRange;
  readonly onRange: (range: ValueRange) => void;
}

function RangeFields({ name, range, onRange }: FieldsProps) {
  return (
    <div class="field-row">
      <EndField label={`${name} from`} end={range.from} onEnd={(from) => onRange({ ...range, from })} />
      <EndField label={`${name} to`} end={range.to} onEnd={(to) => onRange({ ...range, to })} />
    </div>
  );
}

interface EndProps {
  readonly label: string;
  readonly end: number;
  readonly onEnd: (end: number) => void;
}

/** What is no number changes nothing; what the plot changes is shown. */
function EndField({ label, end, onEnd }: EndProps) {
  const shown = String(Number(end.toPrecision(6)));
  const [text, setText] = useState(shown);
  useEffect(() => {
    if (parseNumber(text) !== Number(shown)) setText(shown);
  }, [shown]);
  const change = (typed: string): void => {
    setText(typed);
    const value = parseNumber(typed);
    if (value !== undefined) onEnd(value);
  };
  return <Field label={label} value={text} onValue={change} />;
}
