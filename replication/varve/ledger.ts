// What is kept about a copy at the other server: a dataset beside that of the copy, whose tags have the newest state of each
// thing as their newest point.
//
//   dataset        the dataset's document, with its identity and its edge
//   log            the next entry of the log of corrections
//   tag <id>       name and type of a tag of the edge that is there, or may be
//   at <id>        the ordinal after the last of its points that may be there
//   done <id>      the same for late points, and for tags that have such: what is there for certain
//   late <id>      none of its late points is later
//   cuts <id>      cuts that take late points which are not there yet
//
// Nothing else puts such a name together.

import { type Historian, pathOf } from './http/historian.ts';
import { formatInstant, parseInstant } from './http/point-text.ts';

const SUFFIX = '.$copy';
/** Purge leaves the newest point of each tag. */
const PURGE_DAYS = 1;
/** Entries of one request. */
const ENTRIES_AT_ONCE = 5_000;
const ID_KEY = /^(tag|at|done|late|cuts) (\d+)$/;

export type LedgerValue = string | number;
type IdKind = 'tag' | 'at' | 'done' | 'late' | 'cuts';
export type LedgerEntry = readonly [key: string, value: LedgerValue];

export function ledgerName(dataset: string): string {
  return `${dataset}${SUFFIX}`;
}

/** The dataset whose ledger this is; undefined for any other name. */
export function ledgerOwner(name: string): string | undefined {
  return name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : undefined;
}

export function keyOf(kind: IdKind, id: number): string {
  return `${kind} ${id}`;
}

export class Ledger {
  readonly #historian: Historian;
  readonly #name: string;
  readonly #nowMs: () => number;
  readonly #values = new Map<string, LedgerValue>();
  /** Time of the last point: each gets a later one, also when the clock is set back. */
  #lastMs = 0;

  constructor(historian: Historian, dataset: string, nowMs: () => number) {
    this.#historian = historian;
    this.#name = ledgerName(dataset);
    this.#nowMs = nowMs;
  }

  /** Reads what is there. */
  async load(): Promise<void> {
    const path = `${pathOf(this.#name)}/tags`;
    const { User: tags } = await this.#historian.ask<{ User: { n: string }[] }>({ method: 'GET', path });
    const names = tags.map(({ n }) => n);
    for await (const { name, times, values } of this.#historian.newest(this.#name, names)) {
      const [time, value] = [times.at(-1), values.at(-1)];
      if (time === undefined || (typeof value !== 'string' && typeof value !== 'number')) continue;
      this.#values.set(name, value);
      this.#lastMs = Math.max(this.#lastMs, parseInstant(time).ms);
    }
  }

  async create(): Promise<void> {
    const body = JSON.stringify({ n: this.#name, pa: PURGE_DAYS, ps: 0 });
    await this.#historian.ask({ method: 'POST', path: '/api/datasets', body });
  }

  text(key: string): string | undefined {
    const value = this.#values.get(key);
    return typeof value === 'string' ? value : undefined;
  }

  /** 0 where nothing is noted. */
  number(key: string): number {
    const value = this.#values.get(key);
    return typeof value === 'number' ? value : 0;
  }

  /** Ids of all tags that are noted. */
  *ids(): Generator<number> {
    for (const key of this.#values.keys()) {
      const [, kind, id] = ID_KEY.exec(key) ?? [];
      if (kind === 'tag') yield Number(id);
    }
  }

  /** Notes entries that are others than what is noted; durable once resolved. */
  async note(entries: readonly LedgerEntry[]): Promise<void> {
    const changed = entries.filter(([key, value]) => this.#values.get(key) !== value);
    for (let from = 0; from < changed.length; from += ENTRIES_AT_ONCE)
      await this.#write(changed.slice(from, from + ENTRIES_AT_ONCE));
  }

  /** Forgets all that is noted of tags. */
  async forget(ids: readonly number[]): Promise<void> {
    const kinds: readonly IdKind[] = ['at', 'done', 'late', 'cuts', 'tag'];
    const keys = ids.flatMap((id) => kinds.map((kind) => keyOf(kind, id))).filter((key) => this.#values.has(key));
    if (keys.length === 0) return;
    await this.#historian.ask({ method: 'POST', path: `${pathOf(this.#name)}/tags`, body: JSON.stringify(keys) });
    for (const key of keys) this.#values.delete(key);
  }

  async #write(entries: readonly LedgerEntry[]): Promise<void> {
    const ms = Math.max(this.#nowMs(), this.#lastMs + 1);
    const t = formatInstant({ ms, ticks: 0 });
    const body = JSON.stringify(Object.fromEntries(entries.map(([key, v]) => [key, [{ t, v }]])));
    const { ignored } = await this.#historian.write(this.#name, body);
    if (ignored > 0)
      throw new Error(
        `${this.#historian.name}: something else writes '${this.#name}': two processes copy one data folder.`,
      );
    this.#lastMs = ms;
    for (const [key, value] of entries) this.#values.set(key, value);
  }
}
