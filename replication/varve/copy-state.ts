// What is known of a copy at the other server: its ledger, the tags there, and the time of each tag's newest point. Read again
// after every failure: a request that failed may have been executed.

import { compareInstants, formatValueType, type Instant, parseValueType, ValueType } from '../../engine/index.ts';
import type { CopiedDataset } from '../sink.ts';
import { turn } from '../turns.ts';
import { type Historian, pathOf } from './http/historian.ts';
import { parseInstant } from './http/point-text.ts';
import { keyOf, type Ledger, type LedgerEntry } from './ledger.ts';

/** A tag of the edge, as it was noted. */
export interface NotedTag {
  readonly id: number;
  /** Name, also at the other server; a tag of late points has a name that no tag there has. */
  readonly name: string;
  readonly type: ValueType;
  /** The id of the tag whose late points it holds. */
  readonly lateOf: number | undefined;
}

interface WrittenTag {
  readonly n: string;
  readonly t?: string;
  readonly lateOf?: number;
}

export class CopyState {
  readonly historian: Historian;
  readonly dataset: CopiedDataset;
  readonly ledger: Ledger;
  /** Types of the tags there, by name. */
  readonly types = new Map<string, ValueType>();
  readonly #byId = new Map<number, NotedTag>();
  readonly #idOf = new Map<string, number>();
  readonly #lateOf = new Map<number, number>();
  /** By name; undefined: the tag has no points. Without an entry it is not known. */
  readonly #newest = new Map<string, Instant | undefined>();
  /** Whether the dataset there is known to accept late points. */
  acceptsLate = false;

  private constructor(historian: Historian, dataset: CopiedDataset, ledger: Ledger) {
    this.historian = historian;
    this.dataset = dataset;
    this.ledger = ledger;
  }

  /** With the tags of a ledger that was loaded, in turns. */
  static async open(historian: Historian, dataset: CopiedDataset, ledger: Ledger): Promise<CopyState> {
    const state = new CopyState(historian, dataset, ledger);
    for (const id of ledger.ids()) {
      state.#take(id, JSON.parse(ledger.text(keyOf('tag', id)) as string) as WrittenTag);
      const pause = turn();
      if (pause) await pause;
    }
    return state;
  }

  get path(): string {
    return pathOf(this.dataset.name);
  }

  /** Reads the types of the tags there. */
  async loadTypes(): Promise<void> {
    const path = `${this.path}/tags`;
    const { User: tags } = await this.historian.ask<{ User: { n: string; t?: string }[] }>({ method: 'GET', path });
    for (const { n, t } of tags) this.types.set(n, (t && parseValueType(t)) || ValueType.Open);
  }

  tags(): Iterable<NotedTag> {
    return this.#byId.values();
  }

  tag(id: number): NotedTag | undefined {
    return this.#byId.get(id);
  }

  /** The tag of the edge that a tag there is the copy of. */
  idOf(name: string): number | undefined {
    return this.#idOf.get(name);
  }

  /** The tag with the late points of another. */
  lateOf(id: number): NotedTag | undefined {
    const late = this.#lateOf.get(id);
    return late === undefined ? undefined : this.#byId.get(late);
  }

  async noteTags(tags: readonly NotedTag[]): Promise<void> {
    await this.ledger.note(tags.map(entryOf));
    for (const tag of tags) this.#add(tag);
  }

  /** A tag has another name there. */
  async renameTag(tag: NotedTag): Promise<void> {
    this.#drop(tag.id);
    await this.noteTags([tag]);
  }

  async forgetTags(ids: readonly number[]): Promise<void> {
    await this.ledger.forget(ids);
    for (const id of ids) this.#drop(id);
  }

  /** The times of the newest points of tags; undefined for a tag without points. */
  async newestOf(names: readonly string[]): Promise<ReadonlyMap<string, Instant | undefined>> {
    const unknown = new Set(names.filter((name) => !this.#newest.has(name)));
    const found = new Map<string, Instant | undefined>();
    for await (const { name, times } of this.historian.newest(this.dataset.name, [...unknown])) {
      const time = times.at(-1);
      if (time !== undefined) found.set(name, parseInstant(time));
    }
    for (const name of unknown) this.#newest.set(name, found.get(name));
    return new Map(names.map((name) => [name, this.#newest.get(name)]));
  }

  /** A point of that time was stored. Nothing is noted for a tag whose newest point is not known: it may be any. */
  noteNewest(name: string, time: Instant): void {
    if (!this.#newest.has(name)) return;
    const known = this.#newest.get(name);
    if (known === undefined || compareInstants(time, known) > 0) this.#newest.set(name, time);
  }

  /** It has to be read again. */
  forgetNewest(name: string): void {
    this.#newest.delete(name);
  }

  #take(id: number, { n, t, lateOf }: WrittenTag): void {
    this.#add({ id, name: n, type: (t && parseValueType(t)) || ValueType.Open, lateOf });
  }

  #add(tag: NotedTag): void {
    this.#byId.set(tag.id, tag);
    if (tag.lateOf === undefined) this.#idOf.set(tag.name, tag.id);
    else this.#lateOf.set(tag.lateOf, tag.id);
  }

  #drop(id: number): void {
    const tag = this.#byId.get(id);
    this.#byId.delete(id);
    if (tag === undefined) return;
    if (tag.lateOf !== undefined) this.#lateOf.delete(tag.lateOf);
    else if (this.#idOf.get(tag.name) === id) this.#idOf.delete(tag.name);
  }
}

function entryOf({ id, name, type, lateOf }: NotedTag): LedgerEntry {
  const t = formatValueType(type);
  const written: WrittenTag = {
    n: name,
    ...(t === undefined ? {} : { t }),
    ...(lateOf === undefined ? {} : { lateOf }),
  };
  return [keyOf('tag', id), JSON.stringify(written)];
}
