// Creating, changing and deleting tags, and cutting their points: each one record of the journal, undone when it fails.

import { EngineError } from '../errors.ts';
import { ByteWriter } from '../format/byte-cursors.ts';
import { type CutRange, encodeCut, encodeDefine, encodeDelete } from '../format/journal-record.ts';
import type { Instant, TagChange, TagDefinition } from '../types.ts';
import { ValueType } from '../types.ts';
import { checkTagName } from './admission.ts';
import { findDatasetNewest, forgetTag, setDatasetNewest } from './apply-write.ts';
import type { Dataset } from './dataset.ts';
import { removeTagFile } from './file-removal.ts';
import { Slicer } from './slicer.ts';
import { newestFrom } from './stored-value.ts';
import { isSystemName } from './system-tags.ts';
import { compareTime, type NewestPoint, type Tag } from './tag.ts';
import { findNewest } from './tag-recovery.ts';
import { Turns } from './turns.ts';
import { firstVisibleOrdinal, isCut, newestPlaceUpTo } from './visible-range.ts';

const FIRST_RECORD_BYTES = 65_536;
/** Between two looks at the clock. */
const ITEMS_A_LOOK = 64;

interface Operation {
  /** Undefined: nothing to store, but the answer waits for all that was admitted before. */
  readonly encode: ((out: ByteWriter) => void) | undefined;
  /** What takes long gives a promise. */
  readonly commit: () => Promise<void> | void;
  readonly undo: () => void;
}

function submit(dataset: Dataset, operation: Operation): Promise<void> {
  return new Promise((resolve, reject) => {
    let sequence = 0;
    const entry = {
      commit: () => {
        const applying = operation.commit();
        const settle = (): void => {
          dataset.appliedSequence = Math.max(dataset.appliedSequence, sequence);
          resolve();
        };
        return applying ? applying.then(settle) : settle();
      },
      fail: (error: EngineError) => {
        operation.undo();
        reject(error);
      },
    };
    sequence = dataset.journal.submit(operation.encode, entry);
  });
}

/** Whether an operation on so many tags has to take turns, or to wait for one that does. */
function takesTurns({ lane, context }: Dataset, count: number): boolean {
  return count > context.tunables.longRequestTags || lane.isTaken;
}

/** What a request changes in definitions, done in memory already. */
interface Redefinition {
  readonly created: Tag[];
  readonly before: Map<Tag, TagDefinition>;
}

/** Creates and changes tags, all or none. Throws or rejects with BAD_NAME before anything is changed. */
export function defineTags(dataset: Dataset, changes: readonly TagChange[]): Promise<void> {
  if (takesTurns(dataset, changes.length)) return dataset.lane.run(() => defineInTurns(dataset, changes));
  dataset.checkWritable();
  for (const change of changes) checkNewName(dataset, change);
  const redefinition: Redefinition = { created: [], before: new Map() };
  for (const change of changes) redefine(dataset, change, redefinition);
  const definitions = definitionsOf(redefinition);
  return submit(dataset, {
    encode:
      definitions.size === 0
        ? undefined
        : (out) => {
            for (const [{ id }, definition] of definitions) encodeDefine(out, id, definition);
          },
    commit: () => {
      for (const [tag, definition] of definitions) keepDefinition(tag, definition);
    },
    undo: () => takeBack(dataset, redefinition),
  });
}

async function defineInTurns(dataset: Dataset, changes: readonly TagChange[]): Promise<void> {
  dataset.checkWritable();
  const turns = new Turns(dataset);
  await turns.over(changes, (change) => checkNewName(dataset, change));
  const redefinition: Redefinition = { created: [], before: new Map() };
  const record = new ByteWriter(FIRST_RECORD_BYTES);
  let definitions: Map<Tag, TagDefinition>;
  try {
    await turns.over(changes, (change) => redefine(dataset, change, redefinition));
    definitions = definitionsOf(redefinition);
    await turns.over([...definitions], ([{ id }, definition]) => encodeDefine(record, id, definition));
  } catch (error) {
    takeBack(dataset, redefinition);
    throw error;
  }
  await submit(dataset, {
    encode: definitions.size === 0 ? undefined : (out) => out.raw(record.written()),
    commit: () => inSlices(dataset, definitions, ([tag, definition]) => keepDefinition(tag, definition)),
    undo: () => takeBack(dataset, redefinition),
  });
}

function checkNewName(dataset: Dataset, { name }: TagChange): void {
  if (!dataset.names.find(name)) checkTagName(name);
}

function redefine(dataset: Dataset, change: TagChange, { created, before }: Redefinition): void {
  const known = dataset.names.find(change.name);
  if (!known) {
    created.push(dataset.addTag(changed({ name: change.name, type: ValueType.Open }, change), undefined));
    return;
  }
  const definition = changed(known.definition, change);
  if (sameDefinition(definition, known.definition)) return;
  if (!before.has(known)) before.set(known, known.definition);
  known.definition = definition;
}

function definitionsOf({ created, before }: Redefinition): Map<Tag, TagDefinition> {
  const definitions = new Map<Tag, TagDefinition>();
  for (const tag of created) definitions.set(tag, tag.definition);
  for (const tag of before.keys()) definitions.set(tag, tag.definition);
  return definitions;
}

/** The definition is durable; a tag that it creates can be seen from now on. */
function keepDefinition(tag: Tag, definition: TagDefinition): void {
  tag.visible = true;
  tag.durableDefinition = definition;
}

function takeBack(dataset: Dataset, { created, before }: Redefinition): void {
  for (const [tag, definition] of before) tag.definition = definition;
  for (const tag of created) dataset.removeTag(tag);
}

function changed(definition: TagDefinition, change: TagChange): TagDefinition {
  return { ...definition, ...change, type: change.type ?? definition.type };
}

function sameDefinition(a: TagDefinition, b: TagDefinition): boolean {
  return (
    a.type === b.type &&
    a.description === b.description &&
    a.format === b.format &&
    sameMap(a.units, b.units) &&
    sameMap(a.fields, b.fields)
  );
}

function sameMap<K>(a: ReadonlyMap<K, string> | undefined, b: ReadonlyMap<K, string> | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.size !== b.size) return false;
  for (const [key, text] of a) if (b.get(key) !== text) return false;
  return true;
}

/** Deletes tags with their history, all or none. Throws or rejects with TAG_NOT_FOUND naming the unknown ones, BAD_REQUEST for system tags. */
export function deleteTags(dataset: Dataset, names: readonly string[]): Promise<void> {
  if (takesTurns(dataset, names.length)) return dataset.lane.run(() => deleteInTurns(dataset, names));
  dataset.checkWritable();
  const tags = userTags(dataset, names, 'deleted');
  for (const tag of tags) leave(dataset, tag);
  return submitDeletion(dataset, tags, () => {
    for (const tag of tags) bury(dataset, tag);
    if (tags.length > 0) findDatasetNewest(dataset);
  });
}

async function deleteInTurns(dataset: Dataset, names: readonly string[]): Promise<void> {
  dataset.checkWritable();
  const turns = new Turns(dataset);
  const search = new TagSearch(dataset, 'deleted');
  await turns.over(names, (name) => search.find(name));
  const tags = search.tags();
  try {
    await turns.over(tags, (tag) => leave(dataset, tag));
  } catch (error) {
    for (const tag of tags) if (tag.leaving) restore(dataset, tag);
    throw error;
  }
  await submitDeletion(dataset, tags, async () => {
    await inSlices(dataset, tags, (tag) => bury(dataset, tag));
    let newestMs = Number.NEGATIVE_INFINITY;
    await inSlices(dataset, dataset.names, ({ newest }) => {
      if (newest && newest.ms > newestMs) newestMs = newest.ms;
    });
    setDatasetNewest(dataset, newestMs);
  });
}

function submitDeletion(dataset: Dataset, tags: readonly Tag[], bury: () => Promise<void> | void): Promise<void> {
  const ids = tags.map((tag) => tag.id);
  const removeLater = (): void => void dataset.maintain(() => removeFiles(dataset, tags)).catch(() => undefined);
  return submit(dataset, {
    encode: tags.length === 0 ? undefined : (out) => encodeDelete(out, ids),
    commit: () => {
      const burying = bury();
      return burying ? burying.then(removeLater) : removeLater();
    },
    undo: () => {
      for (const tag of tags) restore(dataset, tag);
    },
  });
}

/** Nobody finds it any more. */
function leave(dataset: Dataset, tag: Tag): void {
  tag.leaving = true;
  dataset.hideTag(tag);
}

function restore(dataset: Dataset, tag: Tag): void {
  tag.leaving = false;
  dataset.names.add(tag.name, tag);
}

function bury(dataset: Dataset, tag: Tag): void {
  dataset.tombstones.add(tag.id);
  forgetTag(dataset, tag);
}

/** For what is durable and must be done whatever happens. */
async function inSlices<T>(dataset: Dataset, items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const slicer = new Slicer(dataset.context);
  let count = 0;
  for (const item of items) {
    work(item);
    const pause = ++count % ITEMS_A_LOOK === 0 ? slicer.pause() : undefined;
    if (pause) await pause;
  }
}

/** The record of the deletion is durable: what is left of the files after a crash is removed by recovery. */
async function removeFiles(dataset: Dataset, tags: readonly Tag[]): Promise<void> {
  const slicer = new Slicer(dataset.context);
  for (const tag of tags) {
    for (const file of tag.files) removeTagFile(dataset, tag, file);
    await slicer.pause();
  }
}

function userTags(dataset: Dataset, names: readonly string[], what: string): Tag[] {
  const search = new TagSearch(dataset, what);
  for (const name of names) search.find(name);
  return search.tags();
}

/** Finds user tags by name, each once. */
class TagSearch {
  readonly #dataset: Dataset;
  readonly #what: string;
  readonly #tags = new Set<Tag>();
  readonly #missing: string[] = [];

  /** `what` is to be done to the tags, for messages. */
  constructor(dataset: Dataset, what: string) {
    this.#dataset = dataset;
    this.#what = what;
  }

  /** Throws BAD_REQUEST for the name of a system tag. */
  find(name: string): void {
    const tag = this.#dataset.names.find(name);
    if (tag?.visible) this.#tags.add(tag);
    else if (isSystemName(name) || this.#dataset.findSystemTag(name))
      throw new EngineError('BAD_REQUEST', `'${name}' is a system tag, which cannot be ${this.#what}.`, { name });
    else this.#missing.push(name);
  }

  /** Throws TAG_NOT_FOUND naming those that were not found. */
  tags(): Tag[] {
    const names = this.#missing;
    const [name] = names;
    if (name === undefined) return [...this.#tags];
    throw new EngineError('TAG_NOT_FOUND', `Tag '${name}' could not be found.`, { name, names });
  }
}

interface Cut {
  readonly tag: Tag;
  readonly range: CutRange;
  /** How many points it takes that could be read. */
  readonly removed: number;
  readonly newest: NewestPoint | undefined;
}

/** Takes the named user tags' points back from a time on; returns how many. */
export async function cutTags(dataset: Dataset, names: readonly string[], start: Instant): Promise<number> {
  const cut = (): Promise<number> => {
    dataset.checkWritable();
    return cutPoints(dataset, userTags(dataset, names, 'cut'), start);
  };
  return dataset.lane.isTaken ? dataset.lane.run(cut) : cut();
}

/** The same for any tags, while the dataset can be written. */
export async function cutPoints(dataset: Dataset, tags: readonly Tag[], start: Instant): Promise<number> {
  const cuts: Cut[] = [];
  for (const tag of tags) {
    const cut = planCut(dataset, tag, start);
    if (cut) cuts.push(cut);
  }
  for (const { tag, newest } of cuts) tag.admitted = newest;
  const ranges = cuts.map(({ range }) => range);
  dataset.pendingCuts = [...dataset.pendingCuts, ...ranges];
  const forget = (): void => {
    dataset.pendingCuts = dataset.pendingCuts.filter((range) => !ranges.includes(range));
  };
  await submit(dataset, {
    encode: cuts.length === 0 ? undefined : (out) => encodeCut(out, ranges),
    commit: () => {
      forget();
      for (const cut of cuts) applyCut(cut);
      if (cuts.length > 0) findDatasetNewest(dataset);
    },
    undo: () => {
      forget();
      for (const { tag } of cuts) tag.admitted = tag.newest;
    },
  });
  return cuts.reduce((sum, { removed }) => sum + removed, 0);
}

/** What a cut takes: stored points and those on their way to disk. Undefined when there is nothing from the time on. */
function planCut(dataset: Dataset, tag: Tag, start: Instant): Cut | undefined {
  const { admitted } = tag;
  if (!admitted || compareTime(admitted, start.ms, start.ticks) < 0) return undefined;
  const to = tag.admittedOrdinal;
  const left = leftOf(dataset, tag);
  const newest = left === tag ? tag.newest : findNewest(dataset, left);
  if (newest && compareTime(newest, start.ms, start.ticks) >= 0) {
    const before = start.ticks > 0 ? { ms: start.ms, ticks: start.ticks - 1 } : { ms: start.ms - 1, ticks: 9999 };
    const place = newestPlaceUpTo(dataset, left, before);
    const first = firstUnpurged(dataset, left);
    // With the point that purge has kept goes all it hides: some of it may still be stored, and would be read again.
    const range = { tagId: tag.id, from: place && place.ordinal >= first ? place.ordinal + 1 : 0, to };
    const removed = countUncut(left, Math.max(range.from, first), to);
    return { tag, range, removed, newest: findNewest(dataset, tag.withCuts([...left.cuts, range])) };
  }
  return planPendingCut(dataset, tag, start, { to, newest, tag: left });
}

/** Points below are hidden for good: but for those of system tags, whose purge cut goes back with a clock that was ahead. */
function firstUnpurged(dataset: Dataset, tag: Tag): number {
  return tag.isSystem ? 0 : firstVisibleOrdinal(dataset, tag);
}

/** The tag as cuts on their way leave it. */
function leftOf(dataset: Dataset, tag: Tag): Tag {
  const earlier = dataset.pendingCuts.filter(({ tagId }) => tagId === tag.id);
  return earlier.length === 0 ? tag : tag.withCuts([...tag.cuts, ...earlier]);
}

interface Left {
  readonly to: number;
  /** The newest stored point. */
  readonly newest: NewestPoint | undefined;
  /** The tag as cuts on their way leave it. */
  readonly tag: Tag;
}

/** All stored points are before the time; some of those on their way are not. */
function planPendingCut(dataset: Dataset, tag: Tag, start: Instant, left: Left): Cut | undefined {
  const { to } = left;
  let { newest } = left;
  for (const { points, runs } of dataset.pending) {
    for (const run of runs) {
      if (run.tag !== tag) continue;
      for (let i = run.start; i < run.start + run.count; i++) {
        const ordinal = run.firstOrdinal + i - run.start;
        if (isCut(left.tag, ordinal)) continue;
        if (compareTime(start, points.timesMs[i] as number, points.ticks[i] as number) <= 0) {
          const removed = countUncut(left.tag, ordinal, to);
          return { tag, range: { tagId: tag.id, from: ordinal, to }, removed, newest };
        }
        newest = newestFrom(points, i, run.type, newest);
      }
    }
  }
  return undefined;
}

function countUncut(tag: Tag, from: number, to: number): number {
  let count = 0;
  for (let ordinal = from; ordinal < to; ordinal++) if (!isCut(tag, ordinal)) count++;
  return count;
}

function applyCut({ tag, range, newest }: Cut): void {
  const { from, to } = range;
  tag.cuts = [...tag.cuts.filter((cut) => cut.from < from || cut.to > to), { from, to }];
  tag.newest = newest;
  if (!newest) tag.oldestMs = Number.NaN;
}
