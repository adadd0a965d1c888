// The button that opens the list of annotations.

import { openDialog } from '../state/actions.ts';
import { useShownAnnotations } from './annotation-layer.tsx';

export function AnnotationsButton() {
  const count = useShownAnnotations().length;
  return (
    <button
      type="button"
      class="button"
      aria-haspopup="dialog"
      title="Annotations of the window (A writes one at the cursor)"
      onClick={() => openDialog({ kind: 'annotations' })}
    >
      Annotations{count === 0 ? '' : `: ${count}`}
    </button>
  );
}
