// The yardstick of `--peers`: a plain Node server without an engine. A body is parsed by JSON.parse and appended to a file,
// which is not synced; its points are kept in typed arrays; reads are answered as JSON. Run with the file's path.

import { openSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const FIRST_CAPACITY = 1024;

/** What bodies and answers are made of: `[ms, value, quality]`. */
interface TagPoints {
  readonly tag: string;
  readonly points: readonly (readonly [number, number, number])[];
}

class TagColumns {
  #timesMs = new Float64Array(FIRST_CAPACITY);
  #values = new Float64Array(FIRST_CAPACITY);
  #qualities = new Uint8Array(FIRST_CAPACITY);
  #count = 0;
  #isOrdered = true;

  add(points: TagPoints['points']): void {
    for (const [timeMs, value, quality] of points) {
      if (this.#count === this.#timesMs.length) this.#grow();
      if (this.#count > 0 && timeMs < (this.#timesMs[this.#count - 1] as number)) this.#isOrdered = false;
      this.#timesMs[this.#count] = timeMs;
      this.#values[this.#count] = value;
      this.#qualities[this.#count++] = quality;
    }
  }

  /** Points `[from, to)` as JSON. */
  json(from: number, to: number): string {
    const texts = new Array<string>(Math.max(0, to - from));
    for (let i = from; i < to; i++) {
      texts[i - from] = `[${this.#timesMs[i]},${this.#values[i]},${this.#qualities[i]}]`;
    }
    return `[${texts.join(',')}]`;
  }

  span(fromMs: number, toMs: number): string {
    this.order();
    return this.json(this.#before(fromMs), this.#before(toMs));
  }

  newest(): string {
    this.order();
    return this.json(this.#count - 1, this.#count);
  }

  #before(timeMs: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timesMs[middle] as number) < timeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Two requests in flight may have come in either order. */
  order(): void {
    if (this.#isOrdered) return;
    const times = this.#timesMs;
    const order = Uint32Array.from({ length: this.#count }, (_, i) => i).sort(
      (a, b) => (times[a] as number) - (times[b] as number),
    );
    this.#timesMs = taken(this.#timesMs, order);
    this.#values = taken(this.#values, order);
    this.#qualities = taken(this.#qualities, order);
    this.#isOrdered = true;
  }

  #grow(): void {
    const capacity = this.#count * 2;
    this.#timesMs = grown(this.#timesMs, capacity);
    this.#values = grown(this.#values, capacity);
    this.#qualities = grown(this.#qualities, capacity);
  }
}

type Column = Float64Array | Uint8Array;

function grown<T extends Column>(column: T, capacity: number): T {
  const larger = new (column.constructor as new (length: number) => T)(capacity);
  larger.set(column);
  return larger;
}

function taken<T extends Column>(column: T, order: Uint32Array): T {
  const ordered = column.slice() as T;
  for (const [to, from] of order.entries()) ordered[to] = column[from] as number;
  return ordered;
}

const file = openSync(process.argv[2] as string, 'a');
const tags = new Map<string, TagColumns>();

function write(body: Buffer): void {
  writeSync(file, body);
  for (const { tag, points } of JSON.parse(body.toString('latin1')) as TagPoints[]) {
    const columns = tags.get(tag) ?? new TagColumns();
    tags.set(tag, columns);
    columns.add(points);
  }
}

function read(query: URLSearchParams): string {
  const wanted = (query.get('tags') ?? '').split(',');
  const [fromMs, toMs] = [Number(query.get('from')), Number(query.get('to'))];
  const parts = wanted.map((tag) => `{"tag":"${tag}","points":${tags.get(tag)?.span(fromMs, toMs) ?? '[]'}}`);
  return `[${parts.join(',')}]`;
}

function latest(): string {
  return `[${Array.from(tags, ([tag, columns]) => `{"tag":"${tag}","points":${columns.newest()}}`).join(',')}]`;
}

function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.method === 'POST') {
    write(body);
    response.end('{}');
    return;
  }
  response.setHeader('content-type', 'application/json');
  response.end(url.pathname === '/latest' ? latest() : read(url.searchParams));
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => answer(request, response, Buffer.concat(parts)));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
