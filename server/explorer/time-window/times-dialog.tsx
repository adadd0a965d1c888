// The start and the end of the window, chosen in the calendar of the browser; and what else can be typed.

import { useState } from 'preact/hooks';
import { serverNowMs } from '../api/http.ts';
import { Field } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';
import { resolveBound, type TimeRange } from '../model/time/time-range.ts';
import { fromZoned, zonedDate, zoneText } from '../model/time/time-zone.ts';
import type { Bound } from '../model/time/typed-time.ts';
import { notify, openDialog, showRange } from '../state/actions.ts';
import { app } from '../state/app-state.ts';

const close = (): void => openDialog(undefined);
const TYPED: readonly (readonly [text: string, meaning: string])[] = [
  ['-8h', 'eight hours ago'],
  ['d', 'the last midnight; also t, today'],
  ['d-1d', 'the midnight before; also y, yesterday'],
  ['yesterday 06:00', 'yesterday at six'],
  ['06:00', 'today at six'],
  ['w-1w', 'Monday of last week'],
  ['M, year', 'the first of this month, of this year'],
  ['27.11.2026 06:00', 'a date; 27/11/2026 in the order of the language of the browser'],
  ['this shift', 'the present shift; also previous shift, shift-3, Early shift yesterday'],
];

export function TimesDialog() {
  const { range } = app.get().view;
  const first = { from: pickedOf(range, 'from'), to: pickedOf(range, 'to') };
  const [picked, setPicked] = useState(first);
  const submit = (event: Event): void => {
    event.preventDefault();
    const bound = (side: keyof TimeRange): Bound =>
      picked[side] === first[side] ? range[side] : fromZoned(Date.parse(`${picked[side]}Z`));
    const chosen = { from: bound('from'), to: bound('to') };
    const [startMs, endMs] = [
      resolveBound(chosen.from, 'from', serverNowMs()),
      resolveBound(chosen.to, 'to', serverNowMs()),
    ];
    if (Number.isNaN(startMs) || Number.isNaN(endMs))
      return notify('Both times are needed: a day and a time of day each.', 'fault');
    if (startMs >= endMs) return notify('The start must lie before the end.', 'fault');
    close();
    showRange(chosen);
  };
  return (
    <Modal title="Times" onClose={close}>
      <form class="form" onSubmit={submit}>
        <Field
          label="From"
          type="datetime-local"
          value={picked.from}
          onValue={(from) => setPicked({ ...picked, from })}
        />
        <Field label="To" type="datetime-local" value={picked.to} onValue={(to) => setPicked({ ...picked, to })} />
        <p class="muted">
          In {zoneText(app.get().window.endMs)}. A time that is not changed here goes on with the clock if it did.
        </p>
        <div class="dialog-foot">
          <button type="submit" class="button primary">
            Show
          </button>
        </div>
      </form>
      <details>
        <summary>What can be typed in the bar</summary>
        <dl class="keys">
          {TYPED.map(([text, meaning]) => (
            <div key={text}>
              <dt>
                <kbd>{text}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Modal>
  );
}

/** Value of a field of the browser, by the clocks of the zone. */
function pickedOf(range: TimeRange, side: keyof TimeRange): string {
  return zonedDate(resolveBound(range[side], side, serverNowMs()))
    .toISOString()
    .slice(0, 16);
}
