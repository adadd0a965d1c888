// Points that were removed at the edge are removed at the other server, from the same time on. Each way comes before any point
// that the edge has accepted after the removal, so that doing it again removes nothing else.

import { compareInstants, FIRST_INSTANT, type Instant, justBefore, justBehind } from '../../engine/index.ts';
import type { LogEntries, LoggedCut } from '../log-entries.ts';
import type { Batch, BatchRun, KeptPoints, TagDocument } from '../sink.ts';
import type { CopyState, NotedTag } from './copy-state.ts';
import { formatInstant, parseInstant } from './http/point-text.ts';
import { keyOf, type LedgerEntry } from './ledger.ts';

/** Late points with ordinals below, from the time on, are not copied any more. */
interface NotedCut {
  readonly below: number;
  readonly start: string;
}

/**
 * By ordinals: removes what was deleted of the tag's last points there. All that is kept, late points too, is before what
 * was removed; cuts that take late points are in the log of corrections, and follow at once.
 */
export async function cutTag(copy: CopyState, document: TagDocument, kept: KeptPoints): Promise<void> {
  const { id, deleted, definition } = document;
  const { name } = definition;
  const end = copy.ledger.number(keyOf('at', id));
  const cut = deleted.find(({ to }) => to >= end);
  if (cut === undefined || cut.from >= end) return;
  const after = kept.timeBefore(document, cut.from);
  if (after === undefined)
    throw new Error(
      `${copy.historian.name}: points of tag '${name}' were removed, and purge has taken those before them before the copy knew: where to remove them there is not known any more. Remove them there, or begin a new copy by --centre-restored.`,
    );
  const last = (await lateBehind(copy, { id, after }, kept)) ?? after;
  await removeFrom(copy, { id, name }, last ? justBehind(last) : FIRST_INSTANT);
}

/** Does what the log of corrections tells of cuts, once. Rejects while a correction is in force that cannot be copied. */
export async function takeLog(
  copy: CopyState,
  log: LogEntries,
  { batch, runs, corrections }: { batch: Batch; runs: readonly BatchRun[]; corrections: 'refuse' | 'leave' },
): Promise<void> {
  const cuts = runs.flatMap((run) => log.take(batch, run));
  for (const id of corrections === 'leave' ? [] : log.corrected) {
    const tag = copy.tag(id);
    if (tag === undefined) continue;
    throw new Error(
      `${copy.historian.name} cannot take corrections, and tag '${tag.name}' has one: undo it, copy to ClickHouse or Parquet files instead, or put ?corrections=leave behind the address to copy points as they were stored.`,
    );
  }
  for (const cut of cuts) await takeCut(copy, cut);
  await copy.ledger.note([['log', log.next]]);
}

/** Whether a cut has taken a late point that was not copied before. */
export function lateCuts(copy: CopyState, ownerId: number): (ordinal: number, time: Instant) => boolean {
  const cuts = readCuts(copy, ownerId).map(({ below, start }) => ({ below, start: parseInstant(start) }));
  return (ordinal, time) => cuts.some(({ below, start }) => ordinal < below && compareInstants(start, time) <= 0);
}

/** Entries that forget cuts whose late points are all behind. */
export function forgetCuts(copy: CopyState, ownerId: number, done: number): LedgerEntry[] {
  const cuts = readCuts(copy, ownerId);
  const left = cuts.filter(({ below }) => below > done);
  return left.length === cuts.length ? [] : [[keyOf('cuts', ownerId), JSON.stringify(left)]];
}

/** None of the late points there is later; there may be none so late, once some were removed. Undefined without any. */
export function latestLate(copy: CopyState, ownerId: number): Instant | undefined {
  const text = copy.ledger.text(keyOf('late', ownerId));
  return text === undefined || text === '' ? undefined : parseInstant(text);
}

/**
 * The latest of the late points there, if it is behind a time: asked of the edge, since what is noted may be too late. Points
 * that are not there for certain are sent again, also if they were removed.
 */
async function lateBehind(
  copy: CopyState,
  { id, after }: { readonly id: number; readonly after: Instant | null },
  kept: KeptPoints,
): Promise<Instant | undefined> {
  const noted = latestLate(copy, id);
  const late = copy.lateOf(id);
  if (late === undefined || noted === undefined || !isBehind(noted, after)) return undefined;
  const latest = await kept.latestLate(late.id, id, copy.ledger.number(keyOf('done', late.id)));
  return latest && isBehind(latest, after) ? latest : undefined;
}

function isBehind(time: Instant, after: Instant | null): boolean {
  return after === null || compareInstants(time, after) > 0;
}

async function takeCut(copy: CopyState, { tagId, start, lateBelow }: LoggedCut): Promise<void> {
  const tag = copy.tag(tagId);
  if (tag === undefined) return;
  await removeFrom(copy, tag, start);
  const late = copy.lateOf(tagId);
  const done = late === undefined ? 0 : copy.ledger.number(keyOf('done', late.id));
  if (lateBelow <= done) return;
  // An older cut of fewer points, and from no earlier time on, takes nothing that this one leaves.
  const noted = readCuts(copy, tagId).filter((cut) => compareInstants(parseInstant(cut.start), start) < 0);
  const cuts = [...noted, { below: lateBelow, start: formatInstant(start) }];
  await copy.ledger.note([[keyOf('cuts', tagId), JSON.stringify(cuts)]]);
}

async function removeFrom(copy: CopyState, { id, name }: Pick<NotedTag, 'id' | 'name'>, start: Instant): Promise<void> {
  const newest = (await copy.newestOf([name])).get(name);
  if (newest !== undefined && compareInstants(newest, start) >= 0) {
    const query = `tagname=${encodeURIComponent(name)}&start=${formatInstant(start)}`;
    await copy.historian.ask({ method: 'DELETE', path: `${copy.path}/data?${query}` });
    copy.forgetNewest(name);
  }
  const late = latestLate(copy, id);
  if (late === undefined || compareInstants(late, start) < 0) return;
  const left = compareInstants(start, FIRST_INSTANT) === 0 ? '' : formatInstant(justBefore(start));
  await copy.ledger.note([[keyOf('late', id), left]]);
}

function readCuts(copy: CopyState, ownerId: number): NotedCut[] {
  return JSON.parse(copy.ledger.text(keyOf('cuts', ownerId)) ?? '[]') as NotedCut[];
}
