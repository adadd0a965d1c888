// Keeps the points of the trend: reads what its pixels can show, follows the clock while it is live, and takes in new points.

import { type ReadRequest, readTags } from '../api/historian.ts';
import { ApiError, serverNowMs, withLimit } from '../api/http.ts';
import { type LivePoints, listenLive } from '../api/live.ts';
import { isCalculated, type LineRef, STATUS_TAG, tagKey, tagsOnly } from '../model/tags/tag.ts';
import { compareShiftMs } from '../model/time/comparison.ts';
import { isGliding, isLive, resolveRange, type TimeWindow } from '../model/time/time-range.ts';
import {
  addPoints,
  createSeries,
  dropBefore,
  type EarlierSeries,
  replaceEnd,
  type Series,
  shiftSeries,
} from '../model/trend/series.ts';
import type { ViewState } from '../model/trend/view-state.ts';
import { exactValue } from '../model/values/value-text.ts';
import { NO_ANSWER, reportFault } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { knownNow, lastAnswerMs, noteAnswer } from '../state/last-answer.ts';
import { findAbsences } from './absences.ts';
import { aggregateOf, readAggregated } from './aggregated-reads.ts';
import { readCalculated } from './calculated-reads.ts';

const FRAME_MS = 250;
const TAIL_MS = 1000;
const LONGEST_TAIL_MS = 10_000;
/** Points are read this far ahead of now, and shown when their time has come: simulators write ahead. */
const LEAD_MS = 5000;
/** A tail that takes longer counts as no answer. */
const TAIL_LIMIT_MS = 8000;
/** A whole read that takes longer does: of a year, over a slow line. */
const READ_LIMIT_MS = 120_000;
/** The next whole read waits for so many times what the last one took, and a second at least. */
const REST_FACTOR = 2;
/** A collector's points arrive late by less than this, or by the live stream. */
const OVERLAP_MS = 60_000;
/** Every so many tails begin at the last points. */
const CATCH_UP_ROUNDS = 4;
const LEAST_POINTS = 100;
const MOST_POINTS = 2000;
/** Late points may change the past many times a second: what is shown is read again so often at most. */
const RELOAD_PAUSE_MS = 2000;
/** Browsers open six connections to a server; streams must not use them up. */
const MOST_STREAMS = 3;

let widthPx = 800;
let loading = new AbortController();
let loadedView: ViewState | undefined;
/** The window of the last whole read. */
let loaded: TimeWindow = { startMs: 0, endMs: 0 };
let tailAtMs = 0;
let isTailUnderWay = false;
/** Whether what is shown was read since something was asked, or lost, last. */
let isRead = false;
/** No read of its own accord begins before, by `performance.now`. */
let restedAtMs = 0;
let tailRound = 0;
let reloadedAtMs = Number.NEGATIVE_INFINITY;
let isReloadDue = false;
let streams: { readonly key: string; readonly close: () => void }[] = [];

/** Starts to follow the state; for the life of the page. */
export function followTrend(): void {
  app.watch(() => {
    if (app.get().view !== loadedView) reload();
  });
  setInterval(tick, FRAME_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) closeStreams();
    else reload();
  });
  reload();
}

/** How many pixels the time axis has. */
export function setTrendWidth(px: number): void {
  const isMuchWider = px > widthPx * 1.3;
  widthPx = Math.max(LEAST_POINTS, px);
  if (isMuchWider) reload();
}

/** Reads everything that is shown again. */
export function reload(): void {
  const { view } = app.get();
  loadedView = view;
  reloadedAtMs = performance.now();
  const nowMs = serverNowMs();
  app.set({ window: resolveRange(view.range, nowMs) });
  void load(view, nowMs);
}

/** The same, but not again within a short while, nor while a read is under way: that one would never come to its end. */
function reloadSoon(): void {
  if (isReloadDue) return;
  isReloadDue = true;
  const waitMs = Math.max(0, reloadedAtMs + RELOAD_PAUSE_MS - performance.now());
  setTimeout(
    () => {
      isReloadDue = false;
      if (app.get().isLoading) reloadSoon();
      else reload();
    },
    app.get().isLoading ? RELOAD_PAUSE_MS : waitMs,
  );
}

async function load(view: ViewState, nowMs: number): Promise<void> {
  loading.abort();
  loading = new AbortController();
  const { signal } = loading;
  const { window } = app.get();
  const startedMs = performance.now();
  isRead = false;
  const endMs = isLive(view.range, nowMs) ? Math.max(window.endMs, nowMs) + LEAD_MS : window.endMs;
  app.set({ isLoading: true });
  try {
    const points = Math.round(Math.min(MOST_POINTS, widthPx));
    const limited = withLimit(signal, READ_LIMIT_MS);
    const request = { startMs: window.startMs, endMs, points, isCarried: true, signal: limited };
    const [present, earlier] = await Promise.all([readAll(view, request), readEarlier(view, window, request)]);
    if (signal.aborted) return;
    loaded = window;
    tailAtMs = nowMs;
    isRead = true;
    const read = isLive(view.range, nowMs) ? { ...window, endMs: Number.POSITIVE_INFINITY } : window;
    noteAnswer(nowMs, nextTailMs(view, nowMs));
    app.set({ ...splitStatuses(present), earlier, read, nowMs, isLoading: false, fault: undefined });
    rest(startedMs);
    followLive(view);
    const absences = await findAbsences(tagsOnly(view.tags), present, window, signal);
    if (!signal.aborted) app.set({ absences });
  } catch (error) {
    if (signal.aborted) return;
    app.set({ isLoading: false });
    rest(startedMs);
    noteFailure(error);
    if (isRead) loaded = window;
  }
}

/** Leaves the server and the line to others for a while, the longer the read took. */
function rest(startedMs: number): void {
  const nowMs = performance.now();
  restedAtMs = nowMs + Math.max(TAIL_MS, REST_FACTOR * (nowMs - startedMs));
}

/** What could not be answered is asked for again as a whole; what was refused is not. */
function noteFailure(error: unknown): void {
  isRead = error instanceof ApiError && error.status < 500 && error.status !== 429;
  if (error instanceof ApiError) reportFault(error);
  else app.set({ fault: NO_ANSWER, nowMs: lastAnswerMs(app.get().nowMs) });
}

/** The lines of the periods compared with, moved into the window. */
export async function readEarlier(view: ViewState, window: TimeWindow, request: ReadRequest): Promise<EarlierSeries> {
  const periods = await Promise.all(
    view.compare.map(async (compare) => {
      const shiftMs = compareShiftMs(compare, window);
      const [startMs, endMs] = [window.startMs - shiftMs, request.endMs - shiftMs];
      return { shiftMs, series: await readAll(view, { ...request, startMs, endMs }) };
    }),
  );
  const keys = new Set(periods.flatMap(({ series }) => [...series.keys()]));
  const earlierOf = (key: string): (Series | undefined)[] =>
    periods.map(({ shiftMs, series }) => {
      const one = series.get(key);
      return one === undefined ? undefined : shiftSeries(one, shiftMs);
    });
  return new Map([...keys].map((key) => [key, earlierOf(key)]));
}

/** The lines of the view, and the statuses of their datasets, by `tagKey`. */
export async function readAll(view: ViewState, request: ReadRequest): Promise<Map<string, Series>> {
  const answers = await Promise.all([
    ...[...namesByDataset(view.tags)].map(([dataset, names]) => readDataset(view, dataset, names, request)),
    readCalculated(view, request),
  ]);
  return new Map(answers.flat().map((series) => [tagKey(series.ref), series]));
}

/** Nothing of one that is gone or may not be read. */
async function readDataset(
  view: ViewState,
  dataset: string,
  names: readonly string[],
  request: ReadRequest,
): Promise<Series[]> {
  try {
    const ofPoints = names.filter((name) => aggregateOf(view, dataset, name) === undefined);
    const [points, results] = await Promise.all([
      readTags(dataset, [...ofPoints, STATUS_TAG], request),
      readAggregated(view, dataset, names, request),
    ]);
    return [...points, ...results];
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return [];
    throw error;
  }
}

/** The names of tags; of a dataset that only has calculated series none. */
export function namesByDataset(refs: readonly LineRef[]): Map<string, string[]> {
  const byDataset = new Map<string, string[]>();
  for (const ref of refs) {
    const names = byDataset.get(ref.dataset) ?? [];
    byDataset.set(ref.dataset, isCalculated(ref) ? names : [...names, ref.name]);
  }
  return byDataset;
}

export function splitStatuses(all: ReadonlyMap<string, Series>): {
  series: Map<string, Series>;
  statuses: Map<string, Series>;
} {
  const statuses = [...all.values()].filter(({ ref }) => ref.name === STATUS_TAG && !isCalculated(ref));
  return { series: new Map(all), statuses: new Map(statuses.map((series) => [series.ref.dataset, series])) };
}

/** Moves a live window on, and reads what has come since, or what could not be read: one read at a time. */
function tick(): void {
  const { view, isLoading } = app.get();
  if (document.hidden) return;
  const nowMs = serverNowMs();
  if (typeof view.range.to === 'string') moveOn(view, nowMs);
  if (isLoading || isTailUnderWay || performance.now() < restedAtMs) return;
  const { window } = app.get();
  const movedMs = window.endMs - loaded.endMs;
  // A day or a shift is over: another one is shown from here on.
  const isAnother = movedMs !== 0 && typeof view.range.to === 'string' && !isGliding(view.range.to);
  if (!isRead || isAnother || movedMs > Math.max(30_000, (window.endMs - window.startMs) / 4)) return reload();
  const pauseMs = nextTailMs(view, nowMs);
  if (pauseMs !== undefined && nowMs - tailAtMs >= pauseMs) void readTail(view, nowMs);
}

/** From one tail to the next, the longer the window; undefined where there is nothing to follow. */
function nextTailMs(view: ViewState, nowMs: number): number | undefined {
  if (!isLive(view.range, nowMs) || view.tags.length === 0) return undefined;
  const { startMs, endMs } = app.get().window;
  return Math.max(TAIL_MS, Math.min(LONGEST_TAIL_MS, (endMs - startMs) / 2000));
}

function moveOn(view: ViewState, nowMs: number): void {
  const { window, fault } = app.get();
  const next = resolveRange(view.range, nowMs);
  if (next.endMs - window.endMs < (window.endMs - window.startMs) / widthPx) return;
  // Lines end where the last answer was; beyond nobody knows.
  app.set(fault === undefined ? { window: next, nowMs: knownNow(nowMs) } : { window: next });
}

async function readTail(view: ViewState, nowMs: number): Promise<void> {
  isTailUnderWay = true;
  const signal = loading.signal;
  const round = tailRound++;
  try {
    const startMs = tailStart(view, round % CATCH_UP_ROUNDS === 0 ? 'last points' : 'last read');
    const points = Math.round(Math.min(MOST_POINTS, widthPx));
    // What could not be calculated waits for the next whole read.
    const tags = view.tags.filter((ref) => app.get().series.get(tagKey(ref))?.fault === undefined);
    const request = { startMs, endMs: nowMs + LEAD_MS, points, signal: withLimit(signal, TAIL_LIMIT_MS) };
    const tails = await readAll({ ...view, tags }, request);
    if (signal.aborted) return;
    tailAtMs = nowMs;
    noteAnswer(nowMs, nextTailMs(view, nowMs));
    takeIn(tails);
    app.set({ fault: undefined, nowMs });
  } catch (error) {
    if (signal.aborted) return;
    tailAtMs = nowMs;
    noteFailure(error);
  } finally {
    isTailUnderWay = false;
  }
}

/**
 * Start of a tail: shortly before the last one ended; now and then at the oldest last point, for what was stored late
 * or fills up history.
 */
function tailStart(view: ViewState, since: 'last read' | 'last points'): number {
  const { window, series } = app.get();
  const lastRead = Math.max(window.startMs, tailAtMs - OVERLAP_MS);
  if (since === 'last read') return lastRead;
  const lastPoints = view.tags.flatMap((ref) => {
    const known = series.get(tagKey(ref));
    return known?.fault === undefined ? [known?.timesMs.at(-1) ?? window.startMs] : [];
  });
  return Math.max(window.startMs, Math.min(lastRead, ...lastPoints));
}

function takeIn(tails: ReadonlyMap<string, Series>): void {
  const { series, window } = app.get();
  let isChanged = false;
  const next = new Map(series);
  for (const [key, tail] of tails) {
    const known = series.get(key);
    if (known === undefined) continue;
    // The window has grown beyond what its intervals were chosen for.
    if (known.tag.aggregate !== tail.tag.aggregate) return reload();
    const longer = tail.tag.aggregate === undefined ? addPoints(known, tail) : replaceEnd(known, tail);
    if (longer === known) continue;
    isChanged = true;
    next.set(key, dropBefore(longer, window.startMs - (window.endMs - window.startMs)));
  }
  if (isChanged) app.set(splitStatuses(next));
}

function followLive(view: ViewState): void {
  const wanted = isLive(view.range, serverNowMs()) ? [...namesByDataset(view.tags)].slice(0, MOST_STREAMS) : [];
  const keys = wanted.map(([dataset, names]) => JSON.stringify([dataset, names]));
  for (const stream of streams) if (!keys.includes(stream.key)) stream.close();
  const kept = streams.filter(({ key }) => keys.includes(key));
  const opened = wanted.flatMap(([dataset, names], index) => {
    const key = keys[index] as string;
    if (kept.some((stream) => stream.key === key)) return [];
    const onPoints = (points: LivePoints): void => takeIn(toSeries(dataset, points));
    return [{ key, close: listenLive(dataset, [...names, STATUS_TAG], { onPoints, onMissed: reloadSoon }) }];
  });
  streams = [...kept, ...opened];
}

function closeStreams(): void {
  for (const stream of streams) stream.close();
  streams = [];
}

function toSeries(dataset: string, points: LivePoints): Map<string, Series> {
  const known = app.get().series;
  return new Map(
    Object.entries(points).flatMap(([name, list]) => {
      const ref = { dataset, name };
      const tag = known.get(tagKey(ref))?.tag;
      if (tag === undefined || tag.aggregate !== undefined) return [];
      const columns = {
        t: list.map(({ t }) => t),
        v: list.map(({ v }) => exactValue(tag, v ?? null)),
        q: list.map(({ q }) => q ?? 192),
      };
      return [[tagKey(ref), createSeries(ref, tag, columns)] as const];
    }),
  );
}
