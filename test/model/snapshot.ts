// All that an engine shows of a dataset, and whether that is a given state of the reference.

import {
  type CorrectionInfo,
  compareInstants,
  type DatasetDefinition,
  type Engine,
  MAX_TIME_MS,
  MIN_TIME_MS,
  type TagDefinition,
} from '../../engine/index.ts';
import { formatPoint, isSamePoint, type Point, readPoints } from './points.ts';
import type { ReferenceDataset } from './reference.ts';
import { formatTime, type PlannedCorrection } from './reference-tag.ts';

export interface Snapshot {
  /** Undefined: the dataset does not exist. */
  readonly definition: DatasetDefinition | undefined;
  readonly tags: ReadonlyMap<string, { readonly definition: TagDefinition; readonly points: readonly Point[] }>;
  readonly statuses: readonly Point[];
  /** Corrections that were asked for; oldest first. */
  readonly corrections: readonly CorrectionInfo[];
}

const EVERYTHING = {
  range: { kind: 'range', start: { ms: MIN_TIME_MS, ticks: 0 }, end: { ms: MAX_TIME_MS, ticks: 9999 } },
  carryIn: false,
  skipMissing: false,
  limit: undefined,
  after: [],
} as const;

const MOST_CORRECTIONS = 10_000;
const STATUS_TAG = '$System.Status';

const NO_DATASET: Snapshot = { definition: undefined, tags: new Map(), statuses: [], corrections: [] };

/** Reads every point of every user tag, and the statuses. Throws when a read reports a gap. */
export async function takeSnapshot(engine: Engine, dataset: string): Promise<Snapshot> {
  if (!engine.hasDataset(dataset)) return NO_DATASET;
  const { name, purgeAgeDays, purgeSizeGb, late = 'ignore' } = engine.dataset(dataset);
  const definitions = [...(await engine.tags(dataset)).user];
  const names = definitions.map((definition) => definition.name);
  const answers = await readPoints(engine, dataset, { ...EVERYTHING, tags: [...names, STATUS_TAG] });
  const gapCount = answers.reduce((sum, answer) => sum + answer.gapCount, 0);
  if (gapCount > 0) throw new Error(`${gapCount} gaps in dataset ${dataset}, of which nothing was damaged or lost`);
  const statuses = answers.at(-1)?.points ?? [];
  const tags = new Map(
    definitions.map((definition, i) => [definition.name, { definition, points: answers[i]?.points ?? [] }]),
  );
  const listed = engine.corrections(dataset, { tag: undefined, before: undefined, limit: MOST_CORRECTIONS });
  const corrections = listed.filter(({ kind }) => kind !== 'cut').reverse();
  return { definition: { name, purgeAgeDays, purgeSizeGb, late }, tags, statuses, corrections };
}

/** What is compared: `tags` leaves out the rules of the dataset, `points` the definitions of tags, too. */
export type Scope = 'everything' | 'tags' | 'points';

/** The first difference in words, or undefined when there is none. */
export function findDifference(got: Snapshot, want: ReferenceDataset, scope: Scope): string | undefined {
  const hasBoth = got.definition !== undefined && want.definition !== undefined;
  const isSame = formatDefinition(got.definition) === formatDefinition(want.definition);
  if (!isSame && (scope === 'everything' || !hasBoth)) {
    return `dataset: got ${formatDefinition(got.definition)}; want ${formatDefinition(want.definition)}`;
  }
  if (want.definition === undefined) return undefined;
  const gotNames = [...got.tags.keys()].sort();
  const wantNames = [...want.tags.keys()].sort();
  if (gotNames.join('|') !== wantNames.join('|')) return `tags: got ${gotNames.join('|')}; want ${wantNames.join('|')}`;
  for (const [name, tag] of want.tags) {
    const gotTag = got.tags.get(name);
    const gotText = formatTag(gotTag?.definition);
    if (scope !== 'points' && gotText !== formatTag(tag.definition))
      return `tag ${name}: got ${gotText}; want ${formatTag(tag.definition)}`;
    const points = gotTag?.points ?? [];
    const isAnyOf = want.takesLate || tag.corrections.length > 0;
    const difference = isAnyOf
      ? compareUnpurged(points, tag.points, want.purgedBeforeMs)
      : comparePoints(points, tag.points, want.purgeableCount(tag));
    if (difference !== undefined) return `tag ${name}: ${difference}`;
  }
  const difference = comparePoints(got.statuses, want.statuses, 0);
  return difference === undefined ? compareCorrections(got.corrections, want) : `statuses: ${difference}`;
}

/** Corrections may be missing all of whose range a purge may have taken. */
function compareCorrections(got: readonly CorrectionInfo[], want: ReferenceDataset): string | undefined {
  for (const [name, tag] of want.tags) {
    const listed = got.filter((correction) => correction.tag === name);
    let next = 0;
    for (const planned of tag.corrections) {
      const known = listed[next];
      const isUndone = known !== undefined && known.undone !== undefined;
      const isListed = known && isSameCorrection(known, planned) && isUndone === tag.isUndone(planned);
      if (isListed) next++;
      else if (planned.end.ms > want.purgedBeforeMs)
        return `tag ${name}: correction ${next}: got ${formatCorrection(known)}; want ${formatCorrection(planned)}, undone: ${tag.isUndone(planned)}`;
    }
    if (next < listed.length) return `tag ${name}: got ${formatCorrection(listed[next])}, which nobody asked for`;
  }
  return undefined;
}

function isSameCorrection(got: CorrectionInfo, want: PlannedCorrection): boolean {
  const isThere = got.kind === want.kind && got.points === want.run.points.length;
  return isThere && compareInstants(got.start, want.start) === 0 && compareInstants(got.end, want.end) === 0;
}

/** `got` must be `want`, but for points at its beginning: a purge may have taken so many. */
function comparePoints(got: readonly Point[], want: readonly Point[], purgeableCount: number): string | undefined {
  const missingCount = want.length - got.length;
  if (missingCount < 0) return `got ${got.length} points; want ${want.length}; the last is ${format(got.at(-1))}`;
  if (missingCount > purgeableCount) {
    const at = want.findIndex((point, i) => format(point) !== format(got[i]));
    return `got ${got.length} points; want ${want.length}; differs at ${at}: got ${format(got[at])}; want ${format(want[at])}`;
  }
  for (let i = 0; i < got.length; i++) {
    const [gotPoint, wantPoint] = [got[i] as Point, want[i + missingCount] as Point];
    if (isSamePoint(gotPoint, wantPoint)) continue;
    return `point ${i + missingCount} of ${want.length}: got ${format(gotPoint)}; want ${format(wantPoint)}`;
  }
  return undefined;
}

/** Points up to `purgedMs` may be missing: which of them purge keeps depends on corrections and on which came late. */
function compareUnpurged(got: readonly Point[], want: readonly Point[], purgedMs: number): string | undefined {
  const isKept = ({ ms }: Point): boolean => ms > purgedMs;
  let next = 0;
  for (const point of got) {
    if (isKept(point)) break;
    const at = want.findIndex((other, i) => i >= next && isSamePoint(point, other));
    if (at === -1) return `got ${format(point)}, which is not there, or not in this place`;
    next = at + 1;
  }
  return comparePoints(got.filter(isKept), want.filter(isKept), 0);
}

function format(point: Point | undefined): string {
  return point === undefined ? 'nothing' : formatPoint(point);
}

function formatCorrection(correction: CorrectionInfo | PlannedCorrection | undefined): string {
  if (correction === undefined) return 'none';
  const { id, kind, start, end } = correction;
  const undone = 'undone' in correction && correction.undone !== undefined ? ', undone' : '';
  return `${kind} ${id} of ${formatTime(start)} to ${formatTime(end)}${undone}`;
}

function formatDefinition(definition: DatasetDefinition | undefined): string {
  if (definition === undefined) return 'absent';
  const { name, purgeAgeDays, purgeSizeGb, late = 'ignore' } = definition;
  return `${name} ${purgeAgeDays} d ${purgeSizeGb} GB, late: ${late}`;
}

function formatTag(definition: TagDefinition | undefined): string {
  if (definition === undefined) return 'absent';
  const { name, description, format, units, fields, type } = definition;
  return JSON.stringify([name, description, format, units && [...units], fields && [...fields], type]);
}
