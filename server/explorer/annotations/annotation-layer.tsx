// Annotations in the chart: a mark above the time axis for each, with its text when it is pointed at or has the focus, and a
// band over the range that it is about.

import { useEffect, useMemo } from 'preact/hooks';
import { px } from '../controls/px.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { type Annotation, aboutText, groupMarks, type MarkGroup, shareOf, timeText } from './annotation.ts';
import { annotations, followAnnotations, openAnnotation, shownAnnotations } from './annotations-state.ts';

/** Characters of a text that the chart shows. */
const MOST_CHARACTERS = 240;
/** Texts in one flag. */
const MOST_MEMBERS = 5;

interface LayerProps {
  readonly leftPx: number;
  readonly plotPx: number;
}

export function AnnotationLayer({ leftPx, plotPx }: LayerProps) {
  useEffect(followAnnotations, []);
  const window = useStore(app, (state) => state.window);
  const shown = useShownAnnotations();
  const groups = groupMarks(shown, window, plotPx);
  const ranges = shown.filter(({ startMs, endMs }) => endMs > startMs);
  return (
    <div class="annotations" style={{ left: px(leftPx), width: px(plotPx) }}>
      {ranges.map((one) => (
        <RangeBand key={`${one.dataset} ${one.id}`} annotation={one} window={window} />
      ))}
      {groups.length === 0 ? null : (
        <ul class="annotation-marks" aria-label="Annotations">
          {groups.map((group) => (
            <Mark key={`${group.members[0]?.dataset} ${group.members[0]?.id}`} group={group} plotPx={plotPx} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** In order of time. */
export function useShownAnnotations(): readonly Annotation[] {
  const all = useStore(annotations, (state) => state.all);
  const view = useStore(app, (state) => state.view);
  const window = useStore(app, (state) => state.window);
  return useMemo(() => shownAnnotations(all, app.get()), [all, view, window]);
}

function RangeBand({ annotation, window }: { readonly annotation: Annotation; readonly window: TimeWindow }) {
  const from = shareOf(annotation.startMs, window);
  const to = shareOf(annotation.endMs, window);
  const style = { left: `${from * 100}%`, width: `${(to - from) * 100}%` };
  return <div class="annotation-band" aria-hidden="true" style={style} />;
}

function Mark({ group: { leftPx, members }, plotPx }: { readonly group: MarkGroup; readonly plotPx: number }) {
  const [first] = members;
  if (first === undefined) return null;
  const isOne = members.length === 1;
  const open = (): void => (isOne ? openAnnotation(first) : openDialog({ kind: 'annotations' }));
  const name = isOne ? nameOf(first) : `${members.length} annotations: ${members.map(nameOf).join('; ')}`;
  return (
    <li style={{ left: px(leftPx) }}>
      <button
        type="button"
        class="annotation-mark"
        aria-label={name.slice(0, MOST_CHARACTERS)}
        // The chart would take the pointer for a drag.
        onPointerDown={(event) => event.stopPropagation()}
        onClick={open}
      >
        {isOne ? '' : members.length}
      </button>
      <div class={leftPx > plotPx / 2 ? 'annotation-flag before' : 'annotation-flag'} aria-hidden="true">
        {members.slice(0, MOST_MEMBERS).map((one) => (
          <FlagText key={`${one.dataset} ${one.id}`} annotation={one} />
        ))}
        {members.length > MOST_MEMBERS ? <p class="muted">and {members.length - MOST_MEMBERS} more</p> : null}
      </div>
    </li>
  );
}

function nameOf(annotation: Annotation): string {
  return `${timeText(annotation, spanMs())}, ${aboutText(annotation)}: ${annotation.text}`;
}

function spanMs(): number {
  const { startMs, endMs } = app.get().window;
  return endMs - startMs;
}

function FlagText({ annotation }: { readonly annotation: Annotation }) {
  const { text, author } = annotation;
  const shown = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return (
    <p>
      <small>
        {timeText(annotation, spanMs())} · {aboutText(annotation)}
        {author === undefined ? '' : ` · ${author}`}
      </small>
      {shown}
    </p>
  );
}
