// The annotations about the window: read again when it leaves what was read, now and then, and after every change.

import { ApiError } from '../api/http.ts';
import { saveFile } from '../export/export.ts';
import { isCalculated } from '../model/tags/tag.ts';
import { EARLIEST_MS, LATEST_MS } from '../model/time/calendar.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { notify, openDialog, pointedTimes, reportFault } from '../state/actions.ts';
import { type AppState, app } from '../state/app-state.ts';
import { createStore } from '../state/store.ts';
import { may } from '../user/account.ts';
import { type Annotation, type Draft, touches } from './annotation.ts';
import { readAnnotations, readAnnotationsCsv } from './annotations-api.ts';

/** What others have written shows after this long. */
const FRESH_MS = 15_000;

interface Annotations {
  /** Annotations of the trend's datasets, about the window and what lies beside it. */
  readonly all: readonly Annotation[];
  /** There are more in the window than were read. */
  readonly isCut: boolean;
  /** What the dialog is about. */
  readonly draft: Draft | undefined;
}

export const annotations = createStore<Annotations>({ all: [], isCut: false, draft: undefined });

let lastRead: { readonly datasets: string; readonly range: TimeWindow; readonly atMs: number } | undefined;
let reading = new AbortController();

/** Follows the window until the function that it gives is called. */
export function followAnnotations(): () => void {
  refreshIfDue();
  return app.watch(refreshIfDue);
}

function refreshIfDue(): void {
  const { window } = app.get();
  const known = lastRead?.datasets === datasetsOf(app.get()).join('\n') ? lastRead : undefined;
  if (known && known.range.startMs <= window.startMs && known.range.endMs >= window.endMs) {
    if (document.hidden || Date.now() - known.atMs < FRESH_MS) return;
  }
  void refresh();
}

/** Reads one window more on both sides: small moves show what is there at once. */
async function refresh(): Promise<void> {
  const { window } = app.get();
  const spanMs = window.endMs - window.startMs;
  const startMs = Math.max(EARLIEST_MS, window.startMs - spanMs);
  const range = { startMs, endMs: Math.min(LATEST_MS, window.endMs + spanMs) };
  const datasets = datasetsOf(app.get());
  lastRead = { datasets: datasets.join('\n'), range, atMs: Date.now() };
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  try {
    const read = await Promise.all(datasets.map((dataset) => readOrNone(dataset, range, signal)));
    if (signal.aborted) return;
    annotations.set({ all: read.flatMap((one) => one.annotations), isCut: read.some(({ isCut }) => isCut) });
  } catch (error) {
    // While the server cannot be reached, the trend says so.
    if (!signal.aborted && !(error instanceof TypeError)) reportFault(error);
  }
}

/** A link may name a dataset that is not there, or not for this token; the trend says that. */
async function readOrNone(dataset: string, range: TimeWindow, signal: AbortSignal) {
  try {
    return await readAnnotations(dataset, range, signal);
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403))
      return { annotations: [], isCut: false };
    throw error;
  }
}

/** Datasets of the trend's tags, in a fixed order. */
function datasetsOf({ view }: AppState): string[] {
  return [...new Set(view.tags.map(({ dataset }) => dataset))].sort();
}

/** What is about the window, and about a tag of the trend or a whole dataset; in order of time. */
export function shownAnnotations(all: readonly Annotation[], { view, window }: AppState): Annotation[] {
  const isShown = ({ dataset, tag }: Annotation): boolean =>
    view.tags.some((ref) => ref.dataset === dataset && (tag === undefined || (ref.name === tag && !isCalculated(ref))));
  return all.filter((one) => touches(one, window) && isShown(one)).sort((a, b) => a.startMs - b.startMs);
}

/** From the mark to the cursor, or between two clicks; about one of them where there is no other; else about the window. */
export function annotateHere(): void {
  const { view, window } = app.get();
  const [first] = view.tags;
  if (first === undefined) return;
  if (!may('write')) {
    notify('To write annotations the role write is needed.');
    return;
  }
  const times = pointedTimes();
  const [startMs = window.startMs, endMs = times.length === 0 ? window.endMs : undefined] = times;
  const tag = view.tags.length === 1 && !isCalculated(first) ? first.name : undefined;
  openDraft({ dataset: first.dataset, annotation: undefined, startMs: wholeSecond(startMs), endMs, tag });
}

export function openAnnotation(annotation: Annotation): void {
  const { dataset, startMs, endMs, tag } = annotation;
  openDraft({ dataset, annotation, startMs, endMs: annotation.end === undefined ? undefined : endMs, tag });
}

function openDraft(draft: Draft): void {
  const endMs = draft.annotation === undefined && draft.endMs !== undefined ? wholeSecond(draft.endMs) : draft.endMs;
  annotations.set({ draft: { ...draft, endMs } });
  openDialog({ kind: 'annotation' });
}

/** The fields show whole seconds: nobody points at a millisecond. */
function wholeSecond(timeMs: number): number {
  return Math.round(timeMs / 1000) * 1000;
}

/** Changes something on the server, and shows what is there then; false, and said, when it was refused. */
export async function applyChange(change: () => Promise<void>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    reportFault(error);
    return false;
  } finally {
    await refresh();
  }
}

/** Saves the annotations of the window, of whole datasets and all tags: a file for each dataset of the trend. */
export async function downloadAnnotations(): Promise<void> {
  try {
    for (const dataset of datasetsOf(app.get())) saveFile(await readAnnotationsCsv(dataset, app.get().window), 'csv');
  } catch (error) {
    reportFault(error);
  }
}
