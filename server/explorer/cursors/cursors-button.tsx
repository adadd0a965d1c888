// The button that leads to the cursors that stay; there while there is one.

import { openDialog } from '../state/actions.ts';
import { cursor } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';

export function CursorsButton() {
  const count = useStore(cursor, ({ pinsMs }) => pinsMs.length);
  if (count === 0) return null;
  return (
    <button
      type="button"
      class="button"
      aria-haspopup="dialog"
      title="Values at the cursors, and statistics between two (P puts one)"
      onClick={() => openDialog({ kind: 'cursors' })}
    >
      Cursors: {count}
    </button>
  );
}
