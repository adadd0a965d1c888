// Says in a band why there is nothing to see, and leads to what there is.

import { px } from '../controls/px.ts';
import { isCalculated, type LineRef, type TagRef, tagKey } from '../model/tags/tag.ts';
import { type Absence, describeAbsence, hasPointIn } from '../model/trend/absence.ts';
import type { Band } from '../model/trend/bands.ts';
import { LEFT_PX } from '../paint/layout.ts';
import { showRange } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';

export function BandNotes({ band }: { readonly band: Band }) {
  const members = band.axes.flatMap((axis) => axis.members);
  const tags = useStore(app, ({ view }) => view.tags);
  const notes = members.flatMap(({ index }) => {
    const ref = tags[index];
    return ref === undefined ? [] : [<LineNote key={tagKey(ref)} lineRef={ref} isNamed={members.length > 1} />];
  });
  return (
    <div class="band-notes" style={{ left: px(LEFT_PX + 12) }}>
      {notes}
    </div>
  );
}

function LineNote({ lineRef, isNamed }: { readonly lineRef: LineRef; readonly isNamed: boolean }) {
  const fault = useStore(app, ({ series }) => series.get(tagKey(lineRef))?.fault);
  if (!isCalculated(lineRef)) return <Note tagRef={lineRef} isNamed={isNamed} />;
  if (fault === undefined) return null;
  return <p class="calculated-note">{isNamed ? `${lineRef.name}: ${fault}` : fault}</p>;
}

function Note({ tagRef, isNamed }: { readonly tagRef: TagRef; readonly isNamed: boolean }) {
  const key = tagKey(tagRef);
  const absence = useStore(app, ({ absences }) => absences.get(key));
  // A point may have come since.
  const isSeen = useStore(app, ({ series, window }) => {
    const one = series.get(key);
    return one !== undefined && hasPointIn(one, window);
  });
  if (absence === undefined || isSeen) return null;
  return (
    <p>
      {isNamed ? `${tagRef.name}: ` : ''}
      {describeAbsence(absence, tagRef)}
      {absence.kind === 'elsewhere' ? <GoButton absence={absence} /> : null}
    </p>
  );
}

function GoButton({ absence }: { readonly absence: Absence & { readonly kind: 'elsewhere' } }) {
  const go = (): void => {
    const { startMs, endMs } = app.get().window;
    const from = Math.round(absence.newestMs - (endMs - startMs) / 2);
    showRange({ from, to: Math.round(from + endMs - startMs) });
  };
  return (
    // The chart would take the pointer for a drag.
    <button type="button" onPointerDown={(event) => event.stopPropagation()} onClick={go}>
      Go there
    </button>
  );
}
