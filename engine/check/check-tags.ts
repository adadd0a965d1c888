// Checks one tag over all files that hold its points: no ordinal missing, times in order, the newest point where it should be.

import { CATALOG_FILE } from '../filenames.ts';
import { Coverage } from '../read/coverage.ts';
import type { OrdinalRange } from '../tag/tag.ts';
import type { CheckedTag, CheckLog, HeldStretch } from './check-log.ts';

/** `firstOrdinal` is the first one that must be there; undefined: that of the first point found. */
export function checkTag(log: CheckLog, prefix: string, tag: CheckedTag, firstOrdinal: number | undefined): void {
  const stretches = [...tag.held].sort((a, b) => a.from - b.from || b.to - a.to);
  const coverage = new Coverage();
  for (const { from, to } of stretches) coverage.add(from, to);
  const name = tag.catalog ? `tag id ${tag.id} '${tag.catalog.definition.name}'` : `tag id ${tag.id}`;
  const first = firstOrdinal ?? stretches[0]?.from ?? 0;
  const last = stretches.reduce((next, { to }) => Math.max(next, to), tag.nextOrdinal);
  const lost = lostBefore(tag);
  for (const { from, to } of without(coverage.lacking(first, last), [...tag.cuts, ...lost])) {
    log.report('error', prefix + CATALOG_FILE, `points ${from} to ${to - 1} of ${name} are in no file`);
  }
  log.counts.points += last - first - coverage.lacking(first, last).reduce((sum, { from, to }) => sum + to - from, 0);
  checkTimes(log, tag, name, stretches);
  const newest = tag.newestOrdinal;
  const isLost = newest !== undefined && lost.some(({ from, to }) => newest >= from && newest < to);
  if (newest !== undefined && !tag.newestSeen && !isLost) {
    log.report('error', prefix + CATALOG_FILE, `the newest point of ${name} is in no file as the catalog has it`);
  }
}

/** What the catalog knows to be lost: it is said once, where the catalog lists it. */
function lostBefore({ catalog }: CheckedTag): OrdinalRange[] {
  const missing = catalog?.files.filter((file) => file.missing) ?? [];
  return missing.map(({ firstOrdinal, nextOrdinal }) => ({ from: firstOrdinal, to: nextOrdinal }));
}

function without(ranges: readonly OrdinalRange[], others: readonly OrdinalRange[]): OrdinalRange[] {
  const held = new Coverage();
  for (const { from, to } of [...others].sort((a, b) => a.from - b.from)) held.add(from, to);
  return ranges.flatMap(({ from, to }) => held.lacking(from, to));
}

/** Times only step back where a cut has been. */
function checkTimes(log: CheckLog, tag: CheckedTag, name: string, stretches: readonly HeldStretch[]): void {
  let before: HeldStretch | undefined;
  for (const stretch of stretches) {
    if (before && stretch.to <= before.to) continue; // the same points once more
    if (before && stretch.from >= before.to && isBack(before, stretch) && !isCutBetween(tag, before, stretch)) {
      log.report('error', stretch.path, `the times of ${name} step back at point ${stretch.from}`);
    }
    before = stretch;
  }
}

function isBack(before: HeldStretch, next: HeldStretch): boolean {
  return next.firstMs < before.lastMs || (next.firstMs === before.lastMs && next.firstTicks < before.lastTicks);
}

function isCutBetween({ cuts }: CheckedTag, before: HeldStretch, next: HeldStretch): boolean {
  return cuts.some(({ from, to }) => from < next.to && to > before.from);
}
