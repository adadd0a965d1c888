// What an engine must hold, as simply as it can be said: a list of effects for each dataset, and the state they lead to.

import {
  compareInstants,
  type DatasetDefinition,
  type Instant,
  type TagChange,
  ValueType,
} from '../../engine/index.ts';
import { formatPoint, type Point, type Run, repetitionKey } from './points.ts';
import { type PlannedCorrection, ReferenceTag } from './reference-tag.ts';

const DAY_MS = 86_400_000;

/** What one admitted request changes. Points are those that were accepted, in order. */
export type Effect =
  | { readonly kind: 'set-dataset'; readonly definition: DatasetDefinition }
  | { readonly kind: 'delete-dataset' }
  /** One batch of a request. `sentCount`: points that were sent for it, also those that were not accepted. */
  | { readonly kind: 'append'; readonly runs: readonly Run[]; readonly sentCount: number }
  | { readonly kind: 'define'; readonly changes: readonly TagChange[] }
  | { readonly kind: 'delete-tags'; readonly names: readonly string[] }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'cut'; readonly names: readonly string[]; readonly start: Instant }
  | { readonly kind: 'correct'; readonly correction: PlannedCorrection }
  | { readonly kind: 'undo'; readonly correction: PlannedCorrection }
  | { readonly kind: 'status'; readonly points: readonly Point[] };

/** The state of one dataset; `definition` undefined: it does not exist. */
export class ReferenceDataset {
  readonly name: string;
  definition: DatasetDefinition | undefined;
  readonly tags = new Map<string, ReferenceTag>();
  statuses: Point[] = [];
  /** A purge may have taken what lies before, but for each tag's newest point at or before it. */
  purgedBeforeMs = Number.NEGATIVE_INFINITY;
  /** Newest time of all points that were ever stored, also of tags that are deleted since. */
  #newestEverMs = Number.NEGATIVE_INFINITY;

  constructor(name: string) {
    this.name = name;
  }

  static after(name: string, effects: readonly Effect[]): ReferenceDataset {
    const dataset = new ReferenceDataset(name);
    for (const effect of effects) dataset.apply(effect);
    return dataset;
  }

  apply(effect: Effect): void {
    this.#change(effect);
    const ageDays = this.definition?.purgeAgeDays ?? 0;
    this.#newestEverMs = Math.max(this.#newestEverMs, this.newestPoint?.ms ?? Number.NEGATIVE_INFINITY);
    if (ageDays > 0) this.purgedBeforeMs = Math.max(this.purgedBeforeMs, this.#newestEverMs - ageDays * DAY_MS);
  }

  #change(effect: Effect): void {
    switch (effect.kind) {
      case 'set-dataset':
        this.definition = effect.definition;
        return;
      case 'delete-dataset':
        this.definition = undefined;
        this.tags.clear();
        this.statuses = [];
        this.purgedBeforeMs = Number.NEGATIVE_INFINITY;
        this.#newestEverMs = Number.NEGATIVE_INFINITY;
        return;
      case 'append':
        return this.#append(effect.runs);
      case 'define':
        for (const change of effect.changes) this.#define(change);
        return;
      case 'delete-tags':
        for (const name of effect.names) this.tags.delete(name);
        return;
      case 'rename':
        return this.#rename(effect.from, effect.to);
      case 'cut':
        for (const name of effect.names) this.#cut(this.#tag(name), effect.start);
        return;
      case 'correct':
        return this.#tag(effect.correction.tag).correct(effect.correction);
      case 'undo':
        return this.#corrected(effect.correction).undo(effect.correction);
      case 'status':
        this.statuses.push(...effect.points);
        return;
    }
  }

  /** Whether points earlier than the newest of their tag are stored. */
  get takesLate(): boolean {
    return this.definition?.late === 'accept';
  }

  /** The points of a request that are stored: in time order, none stored before, and none late where such are ignored. */
  accept(run: Run): Run {
    const tag = this.tags.get(run.name);
    const stored = tag?.inTime ?? [];
    if (this.takesLate) return acceptAll(run, [...stored, ...(tag?.late ?? [])]);
    const newest = stored.at(-1);
    const sorted = [...run.points].sort(compareInstants);
    if (newest === undefined) return { ...run, points: sorted };
    const ties = new Set(stored.filter((point) => compareInstants(point, newest) === 0).map(repetitionKey));
    const points = sorted.filter((point) => {
      const order = compareInstants(point, newest);
      return order > 0 || (order === 0 && !ties.has(repetitionKey(point)));
    });
    return { ...run, points };
  }

  get newestPoint(): Point | undefined {
    let newest: Point | undefined;
    for (const { points } of this.tags.values()) {
      const last = points.at(-1);
      if (last !== undefined && (newest === undefined || compareInstants(last, newest) > 0)) newest = last;
    }
    return newest;
  }

  #tag(name: string): ReferenceTag {
    const tag = this.tags.get(name);
    if (tag === undefined) throw new Error(`BUG: the reference has no tag ${name}`);
    return tag;
  }

  /** The tag may have been renamed since. */
  #corrected(correction: PlannedCorrection): ReferenceTag {
    for (const tag of this.tags.values()) if (tag.corrections.includes(correction)) return tag;
    throw new Error(`BUG: the reference has no correction of tag ${correction.tag}`);
  }

  #rename(from: string, to: string): void {
    const tag = this.#tag(from);
    this.tags.delete(from);
    this.tags.set(to, tag);
    tag.definition = { ...tag.definition, name: to };
  }

  #append(runs: readonly Run[]): void {
    for (const { name, type, points } of runs) {
      let tag = this.tags.get(name);
      if (tag === undefined) {
        tag = new ReferenceTag({ name, type });
        this.tags.set(name, tag);
      }
      if (tag.definition.type === ValueType.Open && points.length > 0) tag.definition = { ...tag.definition, type };
      tag.append(points);
    }
  }

  #define(change: TagChange): void {
    const tag = this.tags.get(change.name);
    if (tag === undefined) {
      this.tags.set(change.name, new ReferenceTag({ ...change, type: change.type ?? ValueType.Open }));
      return;
    }
    tag.definition = { ...tag.definition, ...change };
  }

  /** How many of the first points of a tag a purge may have taken by now. */
  purgeableCount({ points, purgeable }: ReferenceTag): number {
    const carriedIndex = points.findLastIndex((point) => point.ms <= this.purgedBeforeMs);
    return Math.max(0, carriedIndex, purgeable);
  }

  #cut(tag: ReferenceTag, start: Instant): void {
    const purgeable = this.purgeableCount(tag);
    tag.cut(start);
    tag.purgeable = Math.min(purgeable, tag.points.length);
  }
}

function acceptAll(run: Run, stored: readonly Point[]): Run {
  const known = new Set(stored.map(formatPoint));
  const points = run.points.filter((point) => !known.has(formatPoint(point)));
  return { ...run, points: points.sort(compareInstants) };
}
