// What the user can do, as changes of the state.

import { ApiError, currentToken, forgetToken, serverNowMs } from '../api/http.ts';
import { isSameTag, type LineRef, type TagRef, tagKey } from '../model/tags/tag.ts';
import { shiftBeside, shiftFault } from '../model/time/shift-moves.ts';
import { plantShifts } from '../model/time/shifts.ts';
import { frozen, isGliding, isLive, liveAgain, panned, type TimeRange, zoomed } from '../model/time/time-range.ts';
import { type AxisSettings, isAutomatic } from '../model/trend/axis-settings.ts';
import { MOST_PINS, withPin } from '../model/trend/pins.ts';
import { formatView, MOST_TAGS, parseView, rangeFault, type ViewState } from '../model/trend/view-state.ts';
import { app, cursor, type Dialog } from './app-state.ts';
import { keepDataset } from './last-dataset.ts';

export const NO_ANSWER = 'The server does not answer; trying again.';
const NOTICE_MS = 6000;
const REFUSED_TOKEN = 'The server does not take this token: it is mistyped, was revoked, or its time is over.';
let noticeTimer: ReturnType<typeof setTimeout> | undefined;

export function openDialog(dialog: Dialog | undefined): void {
  app.set({ dialog });
}

export function notify(text: string, kind: 'info' | 'fault' = 'info'): void {
  clearTimeout(noticeTimer);
  app.set({ notice: { text, kind } });
  noticeTimer = setTimeout(() => app.set({ notice: undefined }), NOTICE_MS);
}

/** Says what went wrong; a refusal for want of a token asks for one. */
export function reportFault(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  if (error instanceof ApiError && error.status === 401) {
    const tokenFault = currentToken() === undefined ? app.get().tokenFault : REFUSED_TOKEN;
    forgetToken();
    app.set({ needsToken: true, tokenFault, rights: undefined });
  } else notify(error instanceof Error ? error.message : String(error), 'fault');
}

/** `step`: the browser's Back returns to what was before; `same`: the address is only kept up to date. */
export function changeView(patch: Partial<ViewState>, step: 'step' | 'same' = 'step'): void {
  const view = { ...app.get().view, ...patch };
  app.set({ view });
  const link = `#${formatView(view)}`;
  if (link === location.hash) return;
  if (step === 'step') history.pushState({ depth: viewDepth() + 1 }, '', link);
  else history.replaceState({ depth: viewDepth() }, '', link);
}

/** How many views lie behind this one. */
function viewDepth(): number {
  return (history.state as { depth?: number } | null)?.depth ?? 0;
}

/** To the view before; never out of the page. */
export function goBack(): void {
  if (viewDepth() > 0) history.back();
}

/** Takes the view from the address: at the start, and after Back. */
export function followAddress(): void {
  app.set({ view: parseView(location.hash) });
  tellRangeFault(location.hash);
}

export function openLink(link: string): void {
  changeView(parseView(link));
  tellRangeFault(link);
}

function tellRangeFault(link: string): void {
  const fault = rangeFault(link) ?? (plantShifts() === undefined ? undefined : shiftFault(app.get().view.range));
  if (fault !== undefined) notify(fault, 'fault');
}

export function chooseDataset(dataset: string): void {
  keepDataset(dataset);
  changeView({ dataset }, 'same');
}

export function toggleTag(ref: LineRef): void {
  const { tags } = app.get().view;
  if (tags.some((tag) => isSameTag(tag, ref))) changeView({ tags: tags.filter((tag) => !isSameTag(tag, ref)) });
  else addTag(ref);
}

/** Leaves a tag alone that is in the trend already. */
export function addTag(ref: LineRef): void {
  const { tags } = app.get().view;
  if (tags.some((tag) => isSameTag(tag, ref))) return;
  if (tags.length < MOST_TAGS) {
    keepDataset(ref.dataset);
    changeView({ tags: [...tags, ref] });
  } else notify(`A trend holds ${MOST_TAGS} tags; remove one first.`);
}

/** Adds several in one step: as many as there is room for. */
export function addTags(refs: readonly TagRef[]): void {
  const { tags } = app.get().view;
  const added = refs.filter((ref) => !tags.some((tag) => isSameTag(tag, ref)));
  const room = MOST_TAGS - tags.length;
  const [first] = added;
  if (added.length > room)
    notify(`A trend holds ${MOST_TAGS} tags; ${Math.max(0, room)} of ${added.length} were added.`);
  if (first === undefined || room <= 0) return;
  keepDataset(first.dataset);
  changeView({ tags: [...tags, ...added.slice(0, room)] });
}

/** Another line at the place of one, with its scale and limits. */
export function replaceTag(old: LineRef, ref: LineRef): void {
  const { tags, axes } = app.get().view;
  const others = tags.filter((tag) => !isSameTag(tag, old));
  if (others.some((tag) => isSameTag(tag, ref))) {
    notify(`${ref.name} is in the trend already.`);
    return;
  }
  const next = new Map(axes);
  const settings = axes.get(tagKey(old));
  next.delete(tagKey(old));
  if (settings !== undefined) next.set(tagKey(ref), settings);
  changeView({ tags: tags.map((tag) => (isSameTag(tag, old) ? ref : tag)), axes: next });
}

export function setAxis(ref: LineRef, settings: AxisSettings): void {
  const axes = new Map(app.get().view.axes);
  if (isAutomatic(settings)) axes.delete(tagKey(ref));
  else axes.set(tagKey(ref), settings);
  changeView({ axes });
}

export function moveTag(ref: LineRef, by: -1 | 1): void {
  const tags = [...app.get().view.tags];
  const from = tags.findIndex((tag) => isSameTag(tag, ref));
  const to = from + by;
  if (from < 0 || to < 0 || to >= tags.length) return;
  tags.splice(to, 0, ...tags.splice(from, 1));
  changeView({ tags });
}

/** Puts the second cursor to a time, or takes it away when it is there, give or take the tolerance. */
export function toggleMark(timeMs: number, toleranceMs: number): void {
  const { markedMs } = cursor.get();
  const isThere = markedMs !== undefined && Math.abs(markedMs - timeMs) <= toleranceMs;
  cursor.set(isThere ? { markedMs: undefined, beforeMs: undefined } : { markedMs: timeMs, beforeMs: markedMs });
}

/** By key: at the cursor, or away. */
export function toggleMarkAtCursor(): void {
  const { timeMs, markedMs } = cursor.get();
  cursor.set({ markedMs: markedMs === undefined ? timeMs : undefined, beforeMs: undefined });
}

/** Puts a cursor that stays to a time, or takes the one away that is there. */
export function togglePin(timeMs: number, toleranceMs: number): void {
  const pinsMs = withPin(cursor.get().pinsMs, Math.round(timeMs), toleranceMs);
  if (pinsMs.length <= MOST_PINS) cursor.set({ pinsMs });
  else notify(`There are ${MOST_PINS} cursors; take one away first.`);
}

/** By key: at the cursor. */
export function togglePinAtCursor(): void {
  const { timeMs } = cursor.get();
  if (timeMs === undefined) notify('Point at a time of the chart first.');
  else togglePin(timeMs, 0);
}

/** What was pointed out, in order: the mark and the cursor; with the pointer elsewhere, the last two places that were clicked. */
export function pointedTimes(): readonly number[] {
  const { timeMs, markedMs, beforeMs } = cursor.get();
  const times = timeMs === undefined ? [markedMs, beforeMs] : [timeMs, markedMs];
  return times.flatMap((one) => one ?? []).sort((a, b) => a - b);
}

export function showRange(range: TimeRange, step: 'step' | 'same' = 'step'): void {
  changeView({ range }, step);
}

/** Moves by a part of the window; from a shift to the one beside it. */
export function pan(fraction: number): void {
  const { window, view } = app.get();
  showRange(shiftBeside(view.range, fraction < 0 ? -1 : 1, serverNowMs()) ?? panned(window, fraction));
}

/** Live windows keep their end at now. */
export function zoom(factor: number, aboutMs?: number, step: 'step' | 'same' = 'step'): void {
  const { window, view } = app.get();
  if (isGliding(view.range.to) && aboutMs === undefined) {
    const spanMs = (window.endMs - window.startMs) * factor;
    showRange(liveAgain({ startMs: window.endMs - spanMs, endMs: window.endMs }), step);
    return;
  }
  showRange(zoomed(window, factor, aboutMs ?? (window.startMs + window.endMs) / 2), step);
}

export function toggleLive(): void {
  const { window, view } = app.get();
  showRange(isLive(view.range, serverNowMs()) ? frozen(window) : liveAgain(window));
}
