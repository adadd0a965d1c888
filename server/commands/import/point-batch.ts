// Points gathered for one request: its body, and the line of the file that each point came from.

import type { CsvPoint } from './points/point-reader.ts';

/** A request of this size is answered soon, and leaves room for others. */
const FULL_POINTS = 5000;
const FULL_CHARACTERS = 512 * 1024;

interface Run {
  readonly points: string[];
  readonly lines: number[];
}

export class PointBatch {
  pointCount = 0;
  firstLine = 0;
  lastLine = 0;
  readonly #runs = new Map<string, Run>();
  #characters = 0;

  get isFull(): boolean {
    return this.pointCount >= FULL_POINTS || this.#characters >= FULL_CHARACTERS;
  }

  add({ tag, time, value, quality, line }: CsvPoint): void {
    const text = `{"t":"${time}","v":${value}${quality === undefined ? '' : `,"q":${quality}`}}`;
    let run = this.#runs.get(tag);
    if (run === undefined) {
      run = { points: [], lines: [] };
      this.#runs.set(tag, run);
      this.#characters += tag.length;
    }
    run.points.push(text);
    run.lines.push(line);
    this.#characters += text.length;
    if (this.pointCount++ === 0) this.firstLine = line;
    this.lastLine = line;
  }

  body(): string {
    const runs = [...this.#runs].map(([tag, { points }]) => `${JSON.stringify(tag)}:[${points.join(',')}]`);
    return `{${runs.join(',')}}`;
  }

  /** The line of the point that a JSON pointer into the body means; undefined when it means none. */
  lineOf(pointer: string): number | undefined {
    const [, key = '', index = ''] = pointer.split('/');
    const run = this.#runs.get(key.replaceAll('~1', '/').replaceAll('~0', '~'));
    return run?.lines[Number(index)] ?? run?.lines[0];
  }
}
