// Points of a file put in the order of time in bounded memory: sorted runs go to files of a temporary folder, and are merged.

import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CsvPoint } from './points/point-reader.ts';
import { readRecords } from './recognise/csv-records.ts';

/** About 200 MB of memory. */
const RUN_POINTS = 1_000_000;
/** Characters that are written at once. */
const WRITTEN_CHARACTERS = 1024 * 1024;

interface Run {
  head: CsvPoint;
  readonly rest: AsyncGenerator<string>;
}

export class SortedPoints {
  readonly #runPoints: number;
  readonly #paths: string[] = [];
  #points: CsvPoint[] = [];
  #folder: string | undefined;

  constructor(runPoints = RUN_POINTS) {
    this.#runPoints = runPoints;
  }

  /** Runs that are in files. */
  get runCount(): number {
    return this.#paths.length;
  }

  add(point: CsvPoint): void {
    this.#points.push(point);
    if (this.#points.length >= this.#runPoints) this.#writeRun();
  }

  /** All points, after the last one was added: those of one time in the order of their lines. */
  async *inOrder(): AsyncGenerator<CsvPoint> {
    if (this.#paths.length === 0) return yield* this.#points.sort(byTime);
    if (this.#points.length > 0) this.#writeRun();
    const runs: Run[] = [];
    try {
      for (const path of this.#paths) await insert(runs, linesOf(path));
      for (let first = runs[0]; first !== undefined; first = runs[0]) {
        yield first.head;
        runs.shift();
        await insert(runs, first.rest);
      }
    } finally {
      for (const { rest } of runs) await rest.return(undefined);
    }
  }

  /** Removes its files. */
  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #writeRun(): void {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'varve-import-'));
    const path = join(this.#folder, `run-${this.#paths.length}`);
    const file = openSync(path, 'wx', 0o600);
    try {
      let text = '';
      for (const { time, tag, value, quality, line } of this.#points.sort(byTime)) {
        text += `${JSON.stringify([time, tag, value, quality ?? null, line])}\n`;
        if (text.length < WRITTEN_CHARACTERS) continue;
        writeWhole(file, text);
        text = '';
      }
      writeWhole(file, text);
    } finally {
      closeSync(file);
    }
    this.#paths.push(path);
    this.#points = [];
  }
}

function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

async function* linesOf(path: string): AsyncGenerator<string> {
  for await (const records of readRecords(createReadStream(path), 'utf-8', 'lines'))
    for (const { text } of records) yield text;
}

/** Puts what is left of a run where its first point belongs. */
async function insert(runs: Run[], rest: AsyncGenerator<string>): Promise<void> {
  const { value, done } = await rest.next();
  if (done === true) return;
  const [time, tag, shown, quality, line] = JSON.parse(value) as [string, string, string, string | null, number];
  const head: CsvPoint = { time, tag, value: shown, quality: quality ?? undefined, line };
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byTime((runs[middle] as Run).head, head) < 0) low = middle + 1;
    else high = middle;
  }
  runs.splice(low, 0, { head, rest });
}

/** Texts of times have one form and length down to the millisecond; what is below it comes before the Z. */
function byTime(a: CsvPoint, b: CsvPoint): number {
  const [first, second] = [a.time.slice(0, -1), b.time.slice(0, -1)];
  if (first === second) return a.line - b.line;
  return first < second ? -1 : 1;
}
