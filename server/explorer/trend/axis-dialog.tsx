// What the line of a tag is made of, its scale by hand, and its limits; kept in the link.

import { useState } from 'preact/hooks';
import { Choice } from '../controls/choice.tsx';
import { Field } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';
import { isCalculated, type LineRef, tagKey } from '../model/tags/tag.ts';
import { AGGREGATES, INTERVALS } from '../model/trend/aggregate-choice.ts';
import { AUTOMATIC, parseLimits, splitNumbers } from '../model/trend/axis-settings.ts';
import { parseNumber } from '../model/values/typed-number.ts';
import { notify, openDialog, setAxis } from '../state/actions.ts';
import { app } from '../state/app-state.ts';

export function AxisDialog({ tagRef }: { readonly tagRef: LineRef }) {
  const { min, max, limits, aggregate } = app.get().view.axes.get(tagKey(tagRef)) ?? AUTOMATIC;
  const [from, setFrom] = useState(String(min ?? ''));
  const [to, setTo] = useState(String(max ?? ''));
  const [lines, setLines] = useState(limits.join(' '));
  const [fn, setFn] = useState<string>(aggregate?.fn ?? '');
  const [interval, setInterval] = useState(String(aggregate?.intervalMs ?? ''));
  const close = (): void => openDialog(undefined);
  const save = (event: Event): void => {
    event.preventDefault();
    const [low, high] = [parseNumber(from), parseNumber(to)];
    const isNumber = (text: string): boolean => text.trim() === '' || parseNumber(text) !== undefined;
    if (![from, to, ...splitNumbers(lines)].every(isNumber)) {
      notify('Scale and limits are numbers, such as 62.5; limits have spaces between them.', 'fault');
    } else if (low !== undefined && high !== undefined && low >= high) {
      notify('The lower end of the scale must be less than the upper one.', 'fault');
    } else {
      const name = AGGREGATES.find(([known]) => known === fn)?.[0];
      const chosen = name && { fn: name, intervalMs: parseNumber(interval) };
      setAxis(tagRef, { min: low, max: high, limits: parseLimits(lines), aggregate: chosen });
      close();
    }
  };
  return (
    <Modal title={`Scale of ${tagRef.name}`} onClose={close}>
      <form class="form" onSubmit={save}>
        {isCalculated(tagRef) ? null : <LineFields fn={fn} interval={interval} onFn={setFn} onInterval={setInterval} />}
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

interface LineProps {
  readonly fn: string;
  readonly interval: string;
  readonly onFn: (fn: string) => void;
  readonly onInterval: (interval: string) => void;
}

function LineFields({ fn, interval, onFn, onInterval }: LineProps) {
  return (
    <div class="field-row">
      <Choice
        label="Line"
        value={fn}
        options={[['', 'as recorded'], ...AGGREGATES]}
        hint="of the points, or of what they come to"
        onValue={onFn}
      />
      {fn === '' ? null : (
        <Choice
          label="Interval"
          value={interval}
          options={[['', 'by the window'], ...INTERVALS.map(([text, ms]) => [String(ms), text] as const)]}
          hint="of one result"
          onValue={onInterval}
        />
      )}
    </div>
  );
}
