// Findings and counts of a check, and what it has learnt of each tag from the files.

import { isSystemTagId } from '../dataset/system-tags.ts';
import type { CatalogTag } from '../format/record/catalog-record.ts';
import type { OrdinalRange } from '../tag/deleted-ranges.ts';
import { ownerOfLate } from '../tag/late-tag.ts';
import { valueAt } from '../tag/stored-value.ts';
import type { Instant, PointColumns, ValueType } from '../types.ts';

/** Said of a file that is written beside the one that it replaces. */
export const UNFINISHED_MESSAGE = 'was being written when the server ended; the next start removes it';

export interface CheckFinding {
  /** `error`: something is lost or wrong; `warn`: the next start repairs or ignores it; `info`: worth knowing. */
  readonly level: 'error' | 'warn' | 'info';
  /** Inside the folder that was checked. */
  readonly path: string;
  /** Byte offset in that file, where there is one. */
  readonly offset: number | undefined;
  readonly message: string;
}

export interface CheckReport {
  readonly findings: readonly CheckFinding[];
  /** No errors and no warnings. */
  readonly clean: boolean;
  readonly counts: Readonly<CheckCounts>;
}

export interface CheckCounts {
  datasets: number;
  files: number;
  blocks: number;
  /** Points, each counted once however many files hold it. */
  points: number;
  journalRecords: number;
  bytes: number;
}

export class CheckLog {
  readonly findings: CheckFinding[] = [];
  readonly counts: CheckCounts = { datasets: 0, files: 0, blocks: 0, points: 0, journalRecords: 0, bytes: 0 };

  report(level: CheckFinding['level'], path: string, message: string, offset?: number): void {
    this.findings.push({ level, path, offset, message });
  }

  toReport(): CheckReport {
    const { findings, counts } = this;
    return { findings, clean: findings.every(({ level }) => level === 'info'), counts };
  }
}

/** A block, or a run of a journal: consecutive points of one tag. */
export interface HeldSpan {
  readonly from: number;
  readonly to: number;
  readonly firstMs: number;
  readonly firstTicks: number;
  readonly lastMs: number;
  readonly lastTicks: number;
  readonly path: string;
}

/** What the files contain of one tag. */
export class CheckedTag {
  readonly id: number;
  /** The catalog's entry; undefined for tags that came later. */
  readonly catalog: CatalogTag | undefined;
  readonly held: HeldSpan[] = [];
  deletedRanges: OrdinalRange[];
  nextOrdinal: number;
  /** Whether the catalog or a journal defines it, or it is a system tag, which need not be in either. */
  defined: boolean;
  /** Whether its points are late ones, in no order of time. */
  isLate: boolean;
  /** The catalog's newest point, and whether some file holds it. */
  readonly newestOrdinal: number | undefined;
  newestSeen = false;
  /** The time of the first point that a lifted cutoff has left, where some file holds that point. */
  firstLeft: Instant | undefined;

  constructor(id: number, catalog: CatalogTag | undefined) {
    this.id = id;
    this.catalog = catalog;
    this.deletedRanges = catalog ? [{ from: 0, to: catalog.purgedOrdinal }, ...catalog.deletedRanges] : [];
    this.nextOrdinal = catalog?.nextOrdinal ?? 0;
    this.defined = catalog !== undefined || isSystemTagId(id);
    this.isLate = catalog !== undefined && ownerOfLate(catalog.definition.name) !== undefined;
    this.newestOrdinal = catalog && catalog.newest.length > 0 ? lastUndeleted(catalog) : undefined;
  }

  /** Records points that a file holds; `points[0]` has the ordinal `from`. */
  hold(path: string, from: number, type: ValueType, points: PointColumns): void {
    const last = points.count - 1;
    this.held.push({
      from,
      to: from + points.count,
      firstMs: points.timesMs[0] as number,
      firstTicks: points.ticks[0] as number,
      lastMs: points.timesMs[last] as number,
      lastTicks: points.ticks[last] as number,
      path,
    });
    this.#lookForNewest(from, type, points);
    this.#lookForFirstLeft(from, points);
  }

  #lookForFirstLeft(from: number, { count, timesMs, ticks }: PointColumns): void {
    const index = (this.catalog?.purgedOrdinal ?? 0) - from;
    if (this.catalog && index >= 0 && index < count)
      this.firstLeft = { ms: timesMs[index] as number, ticks: ticks[index] as number };
  }

  #lookForNewest(from: number, type: ValueType, points: PointColumns): void {
    const ordinal = this.newestOrdinal;
    if (ordinal === undefined || ordinal < from || ordinal >= from + points.count) return;
    const { newest, newestMs, newestTicks } = this.catalog as CatalogTag;
    const found = pointAt(points, ordinal - from, type);
    const known = newest.at(-1);
    if (found.ms !== newestMs || found.ticks !== newestTicks || found.quality !== known?.quality) return;
    if (Object.is(found.value, known.value)) this.newestSeen = true;
  }
}

function pointAt(
  points: PointColumns,
  i: number,
  type: ValueType,
): { ms: number; ticks: number; quality: number; value: unknown } {
  return {
    ms: points.timesMs[i] as number,
    ticks: points.ticks[i] as number,
    quality: points.qualities[i] as number,
    value: valueAt(points, i, type),
  };
}

/** The tag's last ordinal that is in no deleted range. */
function lastUndeleted({ nextOrdinal, deletedRanges }: CatalogTag): number | undefined {
  let ordinal = nextOrdinal - 1;
  for (;;) {
    const deleted = deletedRanges.find(({ from, to }) => ordinal >= from && ordinal < to);
    if (!deleted) return ordinal >= 0 ? ordinal : undefined;
    ordinal = deleted.from - 1;
  }
}
