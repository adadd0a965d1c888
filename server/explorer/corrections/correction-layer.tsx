// Corrections in the chart: a bar at the foot of a band over each range that was corrected, in the colour of its tag; and
// beside a value in the table, that it is from one.

import '../styles/corrections.css';
import { px } from '../controls/px.ts';
import { isCalculated, type LineRef, tagKey } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import type { Band } from '../model/trend/bands.ts';
import { SERIES_COLOURS } from '../paint/colours.ts';
import { LEFT_PX } from '../paint/layout.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { type CorrectionSpan, correctionOf, correctionSpans } from './correction-marks.ts';
import { correctionsTitle } from './correction-text.ts';
import { corrections, useCorrections } from './corrections-state.ts';

interface LayerProps {
  readonly band: Band;
  readonly widthPx: number;
  readonly rightPx: number;
}

export function CorrectionLayer({ band, widthPx, rightPx }: LayerProps) {
  useCorrections();
  const tags = useStore(app, ({ view }) => view.tags);
  const indexes = band.axes.flatMap(({ members }) => members.map(({ index }) => index));
  const plotPx = widthPx - LEFT_PX - rightPx;
  return (
    <div class="corrections" style={{ left: px(LEFT_PX), width: px(plotPx) }}>
      {indexes.map((index) => {
        const ref = tags[index];
        return ref === undefined ? null : <TagMarks key={tagKey(ref)} lineRef={ref} index={index} plotPx={plotPx} />;
      })}
    </div>
  );
}

interface MarksProps {
  readonly lineRef: LineRef;
  readonly index: number;
  readonly plotPx: number;
}

function TagMarks({ lineRef, index, plotPx }: MarksProps) {
  const own = useStore(corrections, ({ byTag }) => byTag.get(tagKey(lineRef)));
  const window = useStore(app, (state) => state.window);
  if (own === undefined || isCalculated(lineRef)) return null;
  const spans = correctionSpans(own, window, plotPx);
  if (spans.length === 0) return null;
  const all = spans.flatMap(({ members }) => members);
  const colour = `var(--series-${(index % SERIES_COLOURS) + 1})`;
  return (
    <div role="img" aria-label={`Corrections of ${lineRef.name}: ${correctionsTitle(all)}`}>
      {spans.map((span) => (
        <i
          key={span.members[0]?.id}
          class="correction-mark"
          title={correctionsTitle(span.members)}
          style={placeOf(span, window, colour)}
        />
      ))}
    </div>
  );
}

function placeOf({ startMs, endMs }: CorrectionSpan, window: TimeWindow, background: string) {
  const lengthMs = window.endMs - window.startMs;
  const left = Math.max(0, (startMs - window.startMs) / lengthMs);
  const right = Math.min(1, (endMs - window.startMs) / lengthMs);
  // A point has its mark below it, not right of it.
  return { left: `${left * 100}%`, width: `calc(${(right - left) * 100}% + 6px)`, background };
}

interface NoteProps {
  readonly tagRef: LineRef;
  /** Time of the point. */
  readonly timeMs: number;
}

export function CorrectedNote({ tagRef, timeMs }: NoteProps) {
  useCorrections();
  const found = useStore(corrections, ({ byTag }) => correctionOf(byTag.get(tagKey(tagRef)) ?? [], timeMs));
  if (found === undefined) return null;
  return (
    <small class="corrected" title={correctionsTitle([found])}>
      {' '}
      corrected
    </small>
  );
}
