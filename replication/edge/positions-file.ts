// How far the copy of a dataset has come: by tag, the ordinal after the last point that the sink has acknowledged, and which
// document of the tag it has. A file of lines, each whole or not at all: a checksum and JSON. What a power cut takes is sent
// again; ordinals are written only after the sink has answered, so they are never ahead. A tag is noted before it is sent.

import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { CopiedDataset } from '../sink.ts';

interface Head extends CopiedDataset {
  readonly sink: string;
}

/** Id, ordinal, number of the document's content; an ordinal of -1: the tag is gone. */
export type PositionEntry = readonly [id: number, ordinal: number, content: number];

const GONE = -1;
/** The file is written anew when it has this many times the entries that count. */
const MOST_GROWTH = 4;
const FEWEST_ENTRIES = 10_000;
/** Entries of one line when it is written anew. */
const ENTRIES_A_LINE = 1000;

export class PositionsFile {
  readonly #path: string;
  readonly #head: Head;
  readonly #ordinals = new Map<number, number>();
  readonly #contents = new Map<number, number>();
  #written = 0;

  /** Reads what is there; a file of another dataset or sink counts as none. Throws the system's error. */
  constructor(path: string, { name, identity }: CopiedDataset, sink: string) {
    this.#path = path;
    this.#head = { name, identity, sink };
    if (!this.#load()) this.#rewrite();
  }

  /** The ids of tags that the sink has, or may have. */
  tags(): Iterable<number> {
    return this.#contents.keys();
  }

  /** 0 when nothing of the tag was acknowledged. */
  ordinalOf(id: number): number {
    return this.#ordinals.get(id) ?? 0;
  }

  /** Which content of its document the sink has; undefined for none. */
  contentOf(id: number): number | undefined {
    return this.#contents.get(id);
  }

  has(id: number): boolean {
    return this.#contents.has(id);
  }

  /** Throws the system's error, such as of a full disk: the entries hold in memory. */
  note(entries: readonly PositionEntry[]): void {
    if (entries.length === 0) return;
    for (const entry of entries) this.#take(entry);
    this.#written += entries.length;
    if (this.#written > Math.max(FEWEST_ENTRIES, MOST_GROWTH * this.#contents.size)) this.#rewrite();
    else appendFileSync(this.#path, lineOf(entries));
  }

  forget(id: number): void {
    this.note([[id, GONE, 0]]);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }

  #take([id, ordinal, content]: PositionEntry): void {
    if (ordinal === GONE) {
      this.#ordinals.delete(id);
      this.#contents.delete(id);
      return;
    }
    this.#ordinals.set(id, ordinal);
    this.#contents.set(id, content);
  }

  #load(): boolean {
    if (!existsSync(this.#path)) return false;
    const lines = readFileSync(this.#path, 'utf8').split('\n');
    const head = parseLine(lines[0]) as Head | undefined;
    const { identity, sink } = this.#head;
    if (head?.identity !== identity || head.sink !== sink) return false;
    for (const line of lines.slice(1)) {
      const entries = parseLine(line) as PositionEntry[] | undefined;
      // What a torn line told is sent again.
      if (entries === undefined) continue;
      for (const entry of entries) this.#take(entry);
      this.#written += entries.length;
    }
    this.#rewrite();
    return true;
  }

  #rewrite(): void {
    const lines = [lineOf(this.#head)];
    let entries: PositionEntry[] = [];
    for (const [id, content] of this.#contents) {
      entries.push([id, this.ordinalOf(id), content]);
      if (entries.length < ENTRIES_A_LINE) continue;
      lines.push(lineOf(entries));
      entries = [];
    }
    if (entries.length > 0) lines.push(lineOf(entries));
    const temporary = `${this.#path}.new`;
    writeFileSync(temporary, lines.join(''));
    renameSync(temporary, this.#path);
    this.#written = this.#contents.size;
  }
}

/** Which dataset a file is of; undefined when that cannot be told. Throws the system's error. */
export function readPositionsHead(path: string): Head | undefined {
  const [line] = readFileSync(path, 'utf8').split('\n', 1);
  return parseLine(line) as Head | undefined;
}

function lineOf(content: Head | readonly PositionEntry[]): string {
  const text = JSON.stringify(content);
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;
}

function parseLine(line: string | undefined): unknown {
  if (line === undefined || line.length < 10) return undefined;
  const text = line.slice(9);
  return Number.parseInt(line.slice(0, 8), 16) === crc32(text) ? JSON.parse(text) : undefined;
}
