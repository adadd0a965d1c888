// The saved views of the server, and the one that is open.

import { ApiError } from '../api/http.ts';
import { changeView as changeSaved, createView, deleteView, getView, listViews } from '../api/views.ts';
import { FIRST_VIEW, formatView, parseView } from '../model/trend/view-state.ts';
import type { SavedTrend } from '../model/views/saved-trends.ts';
import {
  type BoardContent,
  datasetsOfBoard,
  datasetsOfTrend,
  formatBoardContent,
  parseBoardContent,
  parseTrendContent,
  type SavedView,
  sortViews,
  type ViewDefinition,
  type ViewHead,
} from '../model/views/saved-view.ts';
import { changeView, notify, openLink, reportFault } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { createStore } from '../state/store.ts';
import { chooseFirstView } from './first-view.ts';
import { removeTrend } from './saved.ts';
import { goToView, isViewAwaited, leaveViewAddress, viewInAddress } from './view-address.ts';

export interface Board {
  /** Undefined for one that was not saved yet. */
  readonly head: ViewHead | undefined;
  /** Content that was saved last. */
  readonly saved: BoardContent;
  /** Content on the screen. */
  readonly content: BoardContent;
  readonly isEdited: boolean;
}

export interface ViewsState {
  /** By folder and name; undefined until they were read. */
  readonly heads: readonly ViewHead[] | undefined;
  /** The saved trend that the trend was opened from. */
  readonly trend: ViewHead | undefined;
  readonly board: Board | undefined;
}

const EMPTY_BOARD: BoardContent = { range: undefined, tiles: [] };

export const views = createStore<ViewsState>({ heads: undefined, trend: undefined, board: undefined });

/** Starts to follow the address and the rights; for the life of the page. */
export function followViews(): void {
  let rights = app.get().rights;
  const check = (): void => {
    if (app.get().rights === rights) return;
    rights = app.get().rights;
    if (rights === undefined) return;
    void refreshViews();
    void openFromAddress();
  };
  app.watch(check);
  addEventListener('popstate', () => void openFromAddress());
}

export async function refreshViews(): Promise<void> {
  try {
    views.set({ heads: sortViews((await listViews()).filter(({ kind }) => kind !== 'shifts')) });
  } catch (error) {
    reportFault(error);
  }
}

async function openFromAddress(): Promise<void> {
  const id = viewInAddress();
  const { trend, board } = views.get();
  const openId = board?.head?.id ?? trend?.id;
  const isUnsaved = board !== undefined && board.head === undefined;
  if (id === openId && !isUnsaved && !isViewAwaited()) return;
  if (id === undefined) views.set({ trend: undefined, board: undefined });
  else await show(id);
}

export async function openView(id: string): Promise<void> {
  goToView(id);
  await show(id);
}

/** Takes what the address says beside the view for the state of the trend; else the view says it. */
async function show(id: string): Promise<void> {
  try {
    const view = await getView(id);
    if (viewInAddress() !== id) return;
    if (view.kind === 'dashboard') showBoard(view);
    else showTrend(view);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return reportFault(error);
    leaveViewAddress();
    views.set({ trend: undefined, board: undefined });
    reportFault(error);
    await chooseFirstView();
  }
}

function showTrend(view: SavedView): void {
  views.set({ trend: view, board: undefined });
  if (isViewAwaited()) changeView(parseView(parseTrendContent(view.content).link), 'same');
}

function showBoard(view: SavedView): void {
  const content = parseBoardContent(view.content);
  views.set({ trend: undefined, board: { head: view, saved: content, content, isEdited: false } });
  // The trend behind it reads nothing meanwhile.
  app.set({ view: { ...FIRST_VIEW, dataset: app.get().view.dataset } });
}

export function newBoard(): void {
  leaveViewAddress('step');
  views.set({
    trend: undefined,
    board: { head: undefined, saved: EMPTY_BOARD, content: EMPTY_BOARD, isEdited: true },
  });
}

/** Back to the trend. */
export function closeView(): void {
  const wasBoard = views.get().board !== undefined;
  leaveViewAddress('step');
  views.set({ trend: undefined, board: undefined });
  if (wasBoard) void chooseFirstView();
}

/** A trend of this browser, which the server does not know. */
export function openLocal(link: string): void {
  leaveViewAddress('step');
  views.set({ trend: undefined, board: undefined });
  openLink(link);
}

export function changeBoard(patch: Partial<Board>): void {
  const { board } = views.get();
  if (board !== undefined) views.set({ board: { ...board, ...patch } });
}

/** Goes by what the dashboard is now: two changes may come before the page is drawn again. */
export function editBoard(edit: (content: BoardContent) => BoardContent): void {
  const { board } = views.get();
  if (board !== undefined) changeBoard({ content: edit(board.content) });
}

/** What others have changed of the open dashboard, unless it is being edited. */
export async function refreshBoard(): Promise<void> {
  const id = views.get().board?.head?.id;
  if (id === undefined) return;
  const view = await getView(id);
  const { board } = views.get();
  if (board?.head?.id === id && !board.isEdited && view.revision > board.head.revision) showBoard(view);
}

export interface Place {
  readonly name: string;
  readonly folder: string;
}

/** A new view of what is shown. False when it could not be saved, which was said. */
export async function saveAs(place: Place): Promise<boolean> {
  return attempt(async () => {
    const saved = await createView({ ...shownDefinition(), ...place });
    goToView(saved.id);
    settle(saved);
    notify(`${place.name} was saved on the server.`);
  });
}

/** What is shown, in place of what was saved. */
export async function save(): Promise<boolean> {
  const { board, trend } = views.get();
  const head = board?.head ?? trend;
  if (head === undefined) return false;
  return attempt(async () => {
    const { name, folder } = head;
    settle(await changeSaved(head.id, head.revision, { ...shownDefinition(), name, folder }));
    notify(`${name} was saved.`);
  });
}

export async function moveView({ id }: ViewHead, place: Place): Promise<boolean> {
  return attempt(async () => {
    const { kind, datasets, content, revision } = await getView(id);
    const moved = await changeSaved(id, revision, { kind, datasets, content, ...place });
    const { board, trend } = views.get();
    if (trend?.id === id) views.set({ trend: moved });
    if (board?.head?.id === id) views.set({ board: { ...board, head: moved } });
  });
}

export async function removeView({ id, name }: ViewHead): Promise<boolean> {
  return attempt(async () => {
    await deleteView(id);
    const { board, trend } = views.get();
    if (trend?.id === id || board?.head?.id === id) closeView();
    notify(`${name} was deleted.`);
  });
}

/** Moves trends of this browser to the server; those that were saved are gone here. */
export async function upload(trends: readonly SavedTrend[]): Promise<boolean> {
  return attempt(async () => {
    for (const { name, link } of trends) {
      await createView({ kind: 'trend', name, folder: '', datasets: datasetsOfTrend(link), content: { link } });
      removeTrend(name);
    }
    notify(trends.length === 1 ? 'The trend is on the server now.' : `${trends.length} trends are on the server now.`);
  });
}

function shownDefinition(): Omit<ViewDefinition, 'name' | 'folder'> {
  const { board, heads = [] } = views.get();
  if (board !== undefined) {
    const datasets = datasetsOfBoard(board.content, heads);
    return { kind: 'dashboard', datasets, content: formatBoardContent(board.content) };
  }
  const link = formatView(app.get().view);
  return { kind: 'trend', datasets: datasetsOfTrend(link), content: { link } };
}

function settle(saved: SavedView): void {
  if (saved.kind === 'dashboard') showBoard(saved);
  else {
    views.set({ trend: saved, board: undefined });
    changeView({}, 'same');
  }
}

async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    reportFault(error);
    return false;
  } finally {
    void refreshViews();
  }
}
