// The shifts of the plant in the bar: the present one, the ones before, each by its name, and what sets them.

import { serverNowMs } from '../api/http.ts';
import { Menu, type MenuItem } from '../controls/menu.tsx';
import { rangeOfShift, shiftLabel, shiftOf, shiftsBefore } from '../model/time/shift-moves.ts';
import { resolveShiftText } from '../model/time/shift-text.ts';
import { plantShifts, shortName } from '../model/time/shifts.ts';
import { openDialog, showRange } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { useMay } from '../user/account.ts';
import { shifts } from './shifts.ts';

/** Number of offered shifts before the present one. */
const LAST_SHIFTS = 6;

export function ShiftMenu() {
  const plan = useStore(shifts, (state) => state.plan);
  const maySet = useMay('admin');
  const range = useStore(app, ({ view }) => view.range);
  const label = useStore(app, ({ view, nowMs }) => {
    const shown = shiftOf(view.range, nowMs);
    return shown === undefined ? undefined : shiftLabel(shown);
  });
  const hasShifts = plan !== undefined && plan.shifts.length > 0;
  if (!hasShifts && !maySet) return null;
  const items = [...(hasShifts ? shiftItems(range.from) : []), ...(maySet ? [SETTING] : [])];
  return (
    <Menu
      label={label === undefined ? 'Shift' : `Shift: ${label}`}
      name="Shifts"
      items={items}
      isMarked={label !== undefined}
    />
  );
}

const SETTING: MenuItem = { label: 'Set the shifts…', act: () => openDialog({ kind: 'shifts' }) };

function shiftItems(shown: unknown): MenuItem[] {
  const [plant, nowMs] = [plantShifts(), serverNowMs()];
  if (plant === undefined) return [];
  const words = ['this shift', ...plant.shifts.flatMap(({ name }) => [`${shortName(name)} shift yesterday`])];
  const current = resolveShiftText('this shift', nowMs, plant);
  const [now, ...byName] = words.map((text): MenuItem => {
    const span = resolveShiftText(text, nowMs, plant);
    return {
      key: text,
      label: text.charAt(0).toUpperCase() + text.slice(1),
      hint: span === undefined ? '' : shiftLabel(span),
      isChosen: shown === text,
      act: () => showRange({ from: text, to: text }),
    };
  });
  const before = current === undefined ? [] : shiftsBefore(current, LAST_SHIFTS);
  const last = before.map((span, index): MenuItem => {
    const range = rangeOfShift(span, nowMs);
    const label = index === 0 ? 'Previous shift' : `${index + 1} shifts ago`;
    return { key: label, label, hint: shiftLabel(span), isChosen: shown === range.from, act: () => showRange(range) };
  });
  return [...(now === undefined ? [] : [now]), ...last, ...byName];
}
