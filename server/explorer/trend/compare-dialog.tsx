// Typing what the window is compared with: any span, any earlier shift, several at once.

import { useState } from 'preact/hooks';
import { Field } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';
import { readComparisons } from '../model/time/comparison.ts';
import { changeView, notify, openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';

const close = (): void => openDialog(undefined);

export function CompareDialog() {
  const [typed, setTyped] = useState(app.get().view.compare.join(', '));
  const submit = (event: Event): void => {
    event.preventDefault();
    const compare = readComparisons(typed);
    if (typeof compare === 'string') return notify(compare, 'fault');
    changeView({ compare });
    close();
  };
  return (
    <Modal title="Compare with" onClose={close}>
      <form class="form" onSubmit={submit}>
        <Field
          label="How much earlier"
          value={typed}
          onValue={setTyped}
          hint="Such as 1d, 2w, 3 shifts; previous is the period before. Several with commas between them."
          isFirst
        />
        <div class="dialog-foot">
          <button type="submit" class="button primary">
            Compare
          </button>
        </div>
      </form>
    </Modal>
  );
}
