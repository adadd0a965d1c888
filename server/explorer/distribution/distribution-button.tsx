// What shows the distribution in place of the trend, and the trend again; that page is loaded only then.

import { type TagRef, tagKey, tagsOnly } from '../model/tags/tag.ts';
import { valueKind } from '../model/values/value-kind.ts';
import { changeView } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';

export function DistributionButton() {
  const [first] = useNumericTags();
  const isShown = useStore(app, ({ view }) => view.plot !== undefined);
  const hasNumbers = first !== undefined;
  return (
    <button
      type="button"
      class="button"
      aria-pressed={isShown}
      disabled={!hasNumbers && !isShown}
      title={hasNumbers ? 'How the values of the window are distributed' : 'The trend has no tag of numbers'}
      onClick={() => changeView({ plot: isShown || first === undefined ? undefined : { across: tagKey(first) } })}
    >
      Distribution
    </button>
  );
}

/** Tags of the trend whose values are numbers. */
export function useNumericTags(): readonly TagRef[] {
  const tags = useStore(app, ({ view }) => view.tags);
  const series = useStore(app, (state) => state.series);
  return tagsOnly(tags).filter((ref) => {
    const tag = series.get(tagKey(ref))?.tag;
    return tag !== undefined && ['line', 'step'].includes(valueKind(tag));
  });
}
