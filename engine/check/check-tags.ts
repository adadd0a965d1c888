// Checks one tag over all files that hold its points: no ordinal missing, times in order, the newest point where it should be.

import { CATALOG_FILE } from '../filenames.ts';
import { Coverage } from '../read/coverage.ts';
import type { OrdinalRange } from '../tag/deleted-ranges.ts';
import { compareInstants, type Instant } from '../types.ts';
import type { CheckedTag, CheckLog, HeldSpan } from './check-log.ts';

export interface PurgedPoints {
  /** The first ordinal that must be there; undefined: that of the first point found. */
  readonly firstOrdinal: number | undefined;
  /** Points before the newest one at this time may be gone, whatever is left of them. */
  readonly cutoffMs: number;
}

export function checkTag(log: CheckLog, prefix: string, tag: CheckedTag, purged: PurgedPoints): void {
  const { firstOrdinal, cutoffMs } = purged;
  const spans = [...tag.held].sort((a, b) => a.from - b.from || b.to - a.to);
  const coverage = new Coverage();
  for (const { from, to } of spans) coverage.add(from, to);
  const name = tag.catalog ? `tag id ${tag.id} '${tag.catalog.definition.name}'` : `tag id ${tag.id}`;
  const first = firstOrdinal ?? spans[0]?.from ?? 0;
  const last = spans.reduce((next, { to }) => Math.max(next, to), tag.nextOrdinal);
  const lost = lostBefore(tag);
  const hidden = { from: 0, to: firstKept(tag, cutoffMs) };
  for (const { from, to } of without(coverage.missing(first, last), [hidden, ...tag.deletedRanges, ...lost])) {
    log.report('error', prefix + CATALOG_FILE, `points ${from} to ${to - 1} of ${name} are in no file`);
  }
  log.counts.points += last - first - coverage.missing(first, last).reduce((sum, { from, to }) => sum + to - from, 0);
  checkTimes(log, tag, name, spans);
  checkFirstLeft(log, prefix, { tag, name, firstOrdinal: first });
  const newest = tag.newestOrdinal;
  const isLost = newest !== undefined && lost.some(({ from, to }) => newest >= from && newest < to);
  if (newest !== undefined && !tag.newestSeen && !isLost) {
    log.report('error', prefix + CATALOG_FILE, `the newest point of ${name} is in no file as the catalog has it`);
  }
}

/** The beginning of the last span that begins at or before the cutoff: what purge keeps is not before that. Late points are in no order. */
function firstKept({ held, isLate, deletedRanges }: CheckedTag, cutoffMs: number): number {
  if (isLate) return 0;
  const isLeft = ({ from, to }: HeldSpan): boolean => without([{ from, to }], deletedRanges).length > 0;
  const before = held.filter((span) => span.firstMs <= cutoffMs && isLeft(span));
  return before.reduce((first, { from }) => Math.max(first, from), 0);
}

interface NamedTag {
  readonly tag: CheckedTag;
  readonly name: string;
  /** Earlier points are purged: files that wait to be removed may still hold them. */
  readonly firstOrdinal: number;
}

/** Late points and corrections before that time are not read, so it must not depend on what is stored later. */
function checkFirstLeft(log: CheckLog, prefix: string, { tag, name, firstOrdinal }: NamedTag): void {
  const { catalog, isLate } = tag;
  if (!catalog || isLate) return;
  const { purgedOrdinal, purgedTime } = catalog;
  const firstLeft = purgedOrdinal < firstOrdinal ? undefined : tag.firstLeft;
  if (purgedTime && firstLeft && compareInstants(purgedTime, firstLeft) !== 0) {
    const [got, want] = [formatTime(purgedTime), formatTime(firstLeft)];
    const message = `the first point that a lifted rule of purge has left of ${name} is of ${want}; the catalog says ${got}`;
    log.report('error', prefix + CATALOG_FILE, message);
  }
  if (purgedOrdinal > 0 && !purgedTime && !firstLeft) {
    const point = `the first point that a lifted rule of purge has left of ${name} is gone`;
    const message = `${point}, and its time is not in the catalog: the next start decides from when on late points and corrections are read`;
    log.report('info', prefix + CATALOG_FILE, message);
  }
}

function formatTime({ ms, ticks }: Instant): string {
  return `${new Date(ms).toISOString().slice(0, -1)}${String(ticks).padStart(4, '0')}Z`;
}

/** Points that the catalog lists as lost: reported once, with the catalog. */
function lostBefore({ catalog }: CheckedTag): OrdinalRange[] {
  const missing = catalog?.files.filter((file) => file.missing) ?? [];
  return missing.map(({ firstOrdinal, nextOrdinal }) => ({ from: firstOrdinal, to: nextOrdinal }));
}

function without(ranges: readonly OrdinalRange[], others: readonly OrdinalRange[]): OrdinalRange[] {
  const held = new Coverage();
  for (const { from, to } of [...others].sort((a, b) => a.from - b.from)) held.add(from, to);
  return ranges.flatMap(({ from, to }) => held.missing(from, to));
}

/** Times may step back only behind a deleted range, and those of late points as they like. */
function checkTimes(log: CheckLog, tag: CheckedTag, name: string, spans: readonly HeldSpan[]): void {
  if (tag.isLate) return;
  let before: HeldSpan | undefined;
  for (const span of spans) {
    if (before && span.to <= before.to) continue; // the same points, held twice
    if (before && span.from >= before.to && isBack(before, span) && !isDeletedBetween(tag, before, span)) {
      log.report('error', span.path, `the times of ${name} step back at point ${span.from}`);
    }
    before = span;
  }
}

function isBack(before: HeldSpan, next: HeldSpan): boolean {
  return next.firstMs < before.lastMs || (next.firstMs === before.lastMs && next.firstTicks < before.lastTicks);
}

function isDeletedBetween({ deletedRanges }: CheckedTag, before: HeldSpan, next: HeldSpan): boolean {
  return deletedRanges.some(({ from, to }) => from < next.to && to > before.from);
}
