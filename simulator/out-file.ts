// Writes points to a file as JSON lines, `{"n":name,"t":time,"v":value,"q":192}`, in the order of generation.

import { type FileHandle, open } from 'node:fs/promises';
import { withFiles } from '../forward/errors.ts';
import type { Column } from './generate/column.ts';
import type { PointSink, TagWriter } from './sink.ts';
import { ByteArena, lineEnds, type PointEnds, writeJson, writeNumbers } from './wire/point-json.ts';

const CHUNK_BYTES = 1 << 20;

export class OutFile implements PointSink {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #arena = new ByteArena(2 * CHUNK_BYTES);
  readonly #writers = new Map<string, LineWriter>();
  #sizeBytes: number;
  #pointCount = 0;

  private constructor(path: string, file: FileHandle, sizeBytes: number) {
    this.path = path;
    this.#file = file;
    this.#sizeBytes = sizeBytes;
  }

  /** Opens the file with its first `keepBytes` bytes, and nothing after them. */
  static async open(path: string, keepBytes: number): Promise<OutFile> {
    return withFiles(`open ${path}`, async () => {
      const file = await open(path, keepBytes === 0 ? 'w' : 'r+');
      await file.truncate(keepBytes);
      return new OutFile(path, file, keepBytes);
    });
  }

  get pointCount(): number {
    return this.#pointCount;
  }

  get isFull(): boolean {
    return this.#arena.length >= CHUNK_BYTES;
  }

  /** Bytes handed to the file so far. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  tagWriter(name: string): TagWriter {
    let writer = this.#writers.get(name);
    if (writer === undefined) {
      writer = new LineWriter(name, this.#arena, (count) => {
        this.#pointCount += count;
      });
      this.#writers.set(name, writer);
    }
    return writer;
  }

  drain(): Promise<void> {
    return this.flush();
  }

  async flush(): Promise<void> {
    const { bytes, length } = this.#arena;
    if (length === 0) return;
    await withFiles(`write to ${this.path}`, async () => {
      for (let at = 0; at < length; ) {
        const { bytesWritten } = await this.#file.write(bytes, at, length - at, this.#sizeBytes + at);
        at += bytesWritten;
      }
    });
    this.#sizeBytes += length;
    this.#arena.length = 0;
  }

  async settled(): Promise<void> {
    await withFiles(`sync ${this.path}`, () => this.#file.datasync());
  }

  async close(): Promise<void> {
    await withFiles(`close ${this.path}`, () => this.#file.close());
  }
}

class LineWriter implements TagWriter {
  readonly #ends: PointEnds;
  readonly #arena: ByteArena;
  readonly #onPoints: (count: number) => void;

  constructor(name: string, arena: ByteArena, onPoints: (count: number) => void) {
    this.#ends = lineEnds(name);
    this.#arena = arena;
    this.#onPoints = onPoints;
  }

  numbers(column: Column, from: number): void {
    writeNumbers(this.#arena, this.#ends, column, from);
    this.#onPoints(column.count - from);
  }

  json(timeMs: number, json: string): void {
    writeJson(this.#arena, this.#ends, timeMs, json);
    this.#onPoints(1);
  }
}
