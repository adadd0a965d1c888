// Points of a batch at the other server. It drops what is earlier than a tag's newest point, so that points in the order of
// their times may come again: those before the newest one there are left out here, those of its time are known there.

import { compareInstants, type Instant, type PointColumns } from '../../engine/index.ts';
import type { Batch, BatchRun } from '../sink.ts';
import { forgetCuts, lateCuts, latestLate } from './copy-cuts.ts';
import type { CopyState, NotedTag } from './copy-state.ts';
import { formatInstant } from './http/point-text.ts';
import { PointUpload } from './http/point-upload.ts';
import { keyOf, type LedgerEntry } from './ledger.ts';

/** A run with the tag that it was noted as. */
interface TagRun {
  readonly run: BatchRun;
  readonly tag: NotedTag;
}

/** First the points in the order of their times, then the late ones: those are earlier than the newest of their tags. */
export async function putPoints(copy: CopyState, batch: Batch): Promise<void> {
  const runs = batch.runs.filter(({ tag, count }) => !tag.isSystem && count > 0).map((run) => tagRun(copy, run));
  const own = runs.filter(({ tag }) => tag.lateOf === undefined);
  const late = runs.filter(({ tag }) => tag.lateOf !== undefined && copy.tag(tag.lateOf) !== undefined);
  const newest = await copy.newestOf(own.map(({ tag }) => tag.name));
  for (const one of own) checkAlone(copy, batch, one, newest.get(one.tag.name));
  const before = new Map(own.map(({ tag }) => [tag.id, knownEnd(copy, tag)]));
  await copy.ledger.note([...endsOf(copy, 'at', own), ...announceLate(copy, batch, late)]);
  const upload = new PointUpload(copy.historian, copy.dataset.name, copy.types);
  for (const { run, tag } of own)
    await sendOwn(upload, batch, { run, tag }, { end: before.get(tag.id) ?? 0, newest: newest.get(tag.name) });
  await upload.finish();
  for (const { run, tag } of own) copy.noteNewest(tag.name, timeAt(batch.points, run.start + run.count - 1));
  for (const one of late) await sendLate(copy, upload, batch, one);
  await upload.finish();
  await copy.ledger.note(confirm(copy, own, late));
}

function tagRun(copy: CopyState, run: BatchRun): TagRun {
  const tag = copy.tag(run.tag.id);
  if (tag) return { run, tag };
  throw new Error(
    `${copy.historian.name} has lost what was noted of tag '${run.tag.definition.name}' of '${copy.dataset.name}': restart this server to send it again.`,
  );
}

/** Points that were never sent are later than what is there, unless something else writes it. */
function checkAlone(copy: CopyState, { points }: Batch, { run, tag }: TagRun, newest: Instant | undefined): void {
  const end = copy.ledger.number(keyOf('at', tag.id));
  const first = Math.max(run.firstOrdinal, end);
  if (newest === undefined || hasLate(copy, tag) || first >= run.firstOrdinal + run.count) return;
  const time = timeAt(points, run.start + first - run.firstOrdinal);
  if (compareInstants(time, newest) >= 0) return;
  throw new Error(
    `${copy.historian.name} has a point of tag '${tag.name}' of '${copy.dataset.name}' at ${formatInstant(newest)}, later than what comes from here: something else writes it. End that, and remove its points there.`,
  );
}

/** Ordinals below it may be there: what is earlier than the newest point is. */
function knownEnd(copy: CopyState, tag: NotedTag): number {
  // A point in the order of times may be late there, where late points came first: only what was confirmed is there.
  return copy.ledger.number(keyOf(hasLate(copy, tag) ? 'done' : 'at', tag.id));
}

function hasLate(copy: CopyState, { id }: NotedTag): boolean {
  return copy.lateOf(id) !== undefined;
}

async function sendOwn(
  upload: PointUpload,
  { points }: Batch,
  { run, tag }: TagRun,
  { end, newest }: { readonly end: number; readonly newest: Instant | undefined },
): Promise<void> {
  const { type, start, count, firstOrdinal } = run;
  await upload.begin(tag.name, type);
  for (let i = start; i < start + count; i++) {
    const mayBeThere = newest !== undefined && firstOrdinal + i - start < end;
    if (mayBeThere && compareInstants(timeAt(points, i), newest) < 0) continue;
    await upload.add(tag.name, points, i, type);
  }
}

async function sendLate(copy: CopyState, upload: PointUpload, { points }: Batch, { run, tag }: TagRun): Promise<void> {
  const owner = copy.tag(tag.lateOf as number) as NotedTag;
  const { type, start, count, firstOrdinal } = run;
  const done = copy.ledger.number(keyOf('done', tag.id));
  const isCut = lateCuts(copy, owner.id);
  await upload.begin(owner.name, type);
  for (let i = start + Math.max(0, done - firstOrdinal); i < start + count; i++) {
    const time = timeAt(points, i);
    if (isCut(firstOrdinal + i - start, time)) continue;
    await upload.add(owner.name, points, i, type);
    copy.noteNewest(owner.name, time);
  }
}

/** Ends of runs. `at` is noted before points are sent: a target that has more than the edge is known by it. */
function endsOf({ ledger }: CopyState, kind: 'at' | 'done', runs: readonly TagRun[]): LedgerEntry[] {
  const ends = new Map<string, number>();
  for (const { run, tag } of runs) {
    const key = keyOf(kind, tag.id);
    ends.set(key, Math.max(ends.get(key) ?? ledger.number(key), run.firstOrdinal + run.count));
  }
  return [...ends];
}

function announceLate(copy: CopyState, { points }: Batch, runs: readonly TagRun[]): LedgerEntry[] {
  const latest = new Map<number, Instant>();
  for (const { run, tag } of runs) {
    const owner = tag.lateOf as number;
    for (let i = run.start; i < run.start + run.count; i++) {
      const time = timeAt(points, i);
      const known = latest.get(owner) ?? latestLate(copy, owner);
      if (known === undefined || compareInstants(time, known) > 0) latest.set(owner, time);
    }
  }
  return [...latest].map(([owner, time]) => [keyOf('late', owner), formatInstant(time)]);
}

function confirm(copy: CopyState, own: readonly TagRun[], late: readonly TagRun[]): LedgerEntry[] {
  const withLate = own.filter(({ tag }) => hasLate(copy, tag));
  const passed = late.flatMap(({ run, tag }) => forgetCuts(copy, tag.lateOf as number, run.firstOrdinal + run.count));
  return [...endsOf(copy, 'done', [...withLate, ...late]), ...passed];
}

function timeAt({ timesMs, ticks }: PointColumns, i: number): Instant {
  return { ms: timesMs[i] as number, ticks: ticks[i] as number };
}
