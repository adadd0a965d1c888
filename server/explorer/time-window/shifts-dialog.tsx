// Setting the shifts of the plant: their names, times and days, and the zone by whose clocks they go.

import { useState } from 'preact/hooks';
import { Choice } from '../controls/choice.tsx';
import { Icon } from '../controls/icons.tsx';
import { Modal } from '../controls/modal.tsx';
import {
  formatShift,
  MOST_SHIFT_CHARACTERS,
  MOST_SHIFTS,
  readPlan,
  type TypedShift,
  WEEKDAYS,
} from '../model/time/shift-plan.ts';
import { zoneForServer } from '../model/time/time-zone.ts';
import { notify, openDialog } from '../state/actions.ts';
import { saveShifts, shifts } from './shifts.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const NEW_SHIFT: TypedShift = { name: '', from: '06:00', to: '14:00', days: EVERY_DAY };
const USUAL: readonly TypedShift[] = [
  { name: 'Early', from: '06:00', to: '14:00', days: EVERY_DAY },
  { name: 'Late', from: '14:00', to: '22:00', days: EVERY_DAY },
  { name: 'Night', from: '22:00', to: '06:00', days: EVERY_DAY },
];
const close = (): void => openDialog(undefined);

export function ShiftsDialog() {
  const { plan } = shifts.get();
  const [zone, setZone] = useState(plan?.zone ?? zoneForServer());
  const [typed, setTyped] = useState<readonly TypedShift[]>(plan?.shifts.map(formatShift) ?? USUAL);
  const zones = [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const read = readPlan(zone, typed);
    if (typeof read === 'string') notify(read, 'fault');
    else if (await saveShifts(read)) close();
  };
  const replace = (index: number, shift: TypedShift): void =>
    setTyped(typed.map((old, at) => (at === index ? shift : old)));
  return (
    <Modal title="Shifts of the plant" onClose={close}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        {typed.map((shift, index) => (
          <ShiftFields
            key={index}
            label={shift.name === '' ? `Shift ${index + 1}` : shift.name}
            shift={shift}
            onShift={(next) => replace(index, next)}
            onRemove={() => setTyped(typed.filter((_, at) => at !== index))}
          />
        ))}
        <div class="pair-foot">
          <button
            type="button"
            class="button"
            disabled={typed.length >= MOST_SHIFTS}
            onClick={() => setTyped([...typed, NEW_SHIFT])}
          >
            Add a shift
          </button>
          <small>An end that is not later than the start is on the next day.</small>
        </div>
        <Choice
          label="By the clocks of"
          value={zone}
          options={zones.map((name) => [name, name] as const)}
          onValue={setZone}
          hint="For everybody who looks at the plant, wherever they are."
        />
        <div class="dialog-foot">
          <button type="submit" class="button primary">
            Save for the plant
          </button>
        </div>
      </form>
    </Modal>
  );
}

interface FieldsProps {
  readonly label: string;
  readonly shift: TypedShift;
  readonly onShift: (shift: TypedShift) => void;
  readonly onRemove: () => void;
}

function ShiftFields({ label, shift, onShift, onRemove }: FieldsProps) {
  return (
    <fieldset class="shift">
      <legend>{label}</legend>
      <input
        aria-label="Name"
        value={shift.name}
        maxLength={MOST_SHIFT_CHARACTERS}
        onInput={(event) => onShift({ ...shift, name: event.currentTarget.value })}
      />
      <input
        type="time"
        aria-label="Begins"
        value={shift.from}
        onInput={(event) => onShift({ ...shift, from: event.currentTarget.value })}
      />
      <input
        type="time"
        aria-label="Ends"
        value={shift.to}
        onInput={(event) => onShift({ ...shift, to: event.currentTarget.value })}
      />
      <DayBoxes days={shift.days} onDays={(days) => onShift({ ...shift, days })} />
      <button type="button" class="button quiet icon-only" aria-label={`Remove ${label}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </fieldset>
  );
}

interface DaysProps {
  readonly days: readonly number[];
  readonly onDays: (days: readonly number[]) => void;
}

function DayBoxes({ days, onDays }: DaysProps) {
  return (
    <span class="shift-days">
      {WEEKDAYS.map((name, index) => {
        const day = index + 1;
        const isOn = days.includes(day);
        return (
          <label key={name}>
            <input
              type="checkbox"
              checked={isOn}
              onChange={() => onDays(isOn ? days.filter((one) => one !== day) : [...days, day])}
            />
            {name}
          </label>
        );
      })}
    </span>
  );
}
