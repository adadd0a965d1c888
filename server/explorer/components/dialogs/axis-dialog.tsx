// The scale of a tag by hand, and its limits; kept in the link.

import { useState } from 'preact/hooks';
import { type TagRef, tagKey } from '../../model/tags/tag.ts';
import { AUTOMATIC, parseLimits, parseNumber } from '../../model/trend/axis-settings.ts';
import { notify, openDialog, setAxis } from '../../state/app/actions.ts';
import { app } from '../../state/app/app-state.ts';
import { Field } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';

export function AxisDialog({ tagRef }: { readonly tagRef: TagRef }) {
  const { min, max, limits } = app.get().view.axes.get(tagKey(tagRef)) ?? AUTOMATIC;
  const [from, setFrom] = useState(String(min ?? ''));
  const [to, setTo] = useState(String(max ?? ''));
  const [lines, setLines] = useState(limits.join(' '));
  const close = (): void => openDialog(undefined);
  const save = (event: Event): void => {
    event.preventDefault();
    const [low, high] = [parseNumber(from), parseNumber(to)];
    const isNumber = (text: string): boolean => text.trim() === '' || parseNumber(text) !== undefined;
    if (![from, to, ...lines.split(/[\s,;]+/)].every(isNumber)) {
      notify('Scale and limits are numbers, such as 62.5.', 'fault');
    } else if (low !== undefined && high !== undefined && low >= high) {
      notify('The lower end of the scale must be less than the upper one.', 'fault');
    } else {
      setAxis(tagRef, { min: low, max: high, limits: parseLimits(lines) });
      close();
    }
  };
  return (
    <Modal title={`Scale of ${tagRef.name}`} onClose={close}>
      <form class="form" onSubmit={save}>
        <div class="field-row">
          <Field label="Lower end" value={from} onValue={setFrom} hint="empty: by the points" isFirst />
          <Field label="Upper end" value={to} onValue={setTo} hint="empty: by the points" />
        </div>
        <Field
          label="Limits"
          value={lines}
          onValue={setLines}
          hint="numbers, with spaces between them: each is a line"
        />
        <div class="dialog-foot">
          <button
            type="button"
            class="button"
            onClick={() => {
              setAxis(tagRef, AUTOMATIC);
              close();
            }}
          >
            Automatic
          </button>
          <button type="submit" class="button primary">
            Apply
          </button>
        </div>
      </form>
    </Modal>
  );
}
