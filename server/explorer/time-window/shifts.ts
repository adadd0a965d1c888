// The shifts of the plant, which the server keeps as a view of their own: read at the start and now and then, and set by admins.

import { changeView as changeSaved, createView, getView, listViews } from '../api/views.ts';
import { shiftFault } from '../model/time/shift-moves.ts';
import { formatPlan, parsePlan } from '../model/time/shift-plan.ts';
import { type ShiftPlan, setShifts } from '../model/time/shifts.ts';
import type { ViewHead } from '../model/views/saved-view.ts';
import { changeView, notify, reportFault } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { createStore } from '../state/store.ts';

const REFRESH_MS = 300_000;
const NAME = 'Shifts';

interface ShiftsState {
  /** Undefined while none are set. */
  readonly plan: ShiftPlan | undefined;
  /** The view that keeps them. */
  readonly head: ViewHead | undefined;
}

export const shifts = createStore<ShiftsState>({ plan: undefined, head: undefined });

let reading: Promise<void> | undefined;

/** Reads them again now and then, and when somebody signs in; for the life of the page. */
export function followShifts(): void {
  let { rights } = app.get();
  app.watch(() => {
    if (app.get().rights === rights) return;
    rights = app.get().rights;
    if (rights !== undefined) void readShifts();
  });
  setInterval(() => {
    if (!document.hidden && !app.get().needsToken) void readShifts();
  }, REFRESH_MS);
}

/** Never rejects: without them all other times are as they are. */
export function readShifts(): Promise<void> {
  reading ??= readOnce().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function readOnce(): Promise<void> {
  if (app.get().needsToken) return;
  try {
    const [head] = (await listViews())
      .filter(({ kind }) => kind === 'shifts')
      .sort((a, b) => b.changed.localeCompare(a.changed));
    const { head: known, plan } = shifts.get();
    const isKnown = head !== undefined && head.id === known?.id && head.revision === known.revision;
    take(head, isKnown || head === undefined ? head && plan : parsePlan((await getView(head.id)).content));
  } catch (error) {
    // The datasets are read by a clock of their own, which says what is wrong.
    if (!(error instanceof TypeError)) reportFault(error);
  }
}

function take(head: ViewHead | undefined, plan: ShiftPlan | undefined): void {
  const isChanged = JSON.stringify(plan) !== JSON.stringify(shifts.get().plan);
  setShifts(plan);
  shifts.set({ head, plan });
  // The window may be another one with them.
  if (isChanged) changeView({}, 'same');
}

/** What is wrong with the shifts that the window names. */
export function tellShiftFault(): void {
  const fault = shiftFault(app.get().view.range);
  if (fault !== undefined) notify(fault, 'fault');
}

/** False when they could not be saved, which was said. */
export async function saveShifts(plan: ShiftPlan): Promise<boolean> {
  const definition = { kind: 'shifts', name: NAME, folder: '', datasets: [], content: formatPlan(plan) } as const;
  try {
    const { head } = shifts.get();
    take(await (head === undefined ? createView(definition) : changeSaved(head.id, head.revision, definition)), plan);
    notify('The shifts were saved for the plant.');
    return true;
  } catch (error) {
    reportFault(error);
    return false;
  }
}
