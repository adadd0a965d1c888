// What anybody would write first, as a yardstick that is the same on every machine: node:http, JSON.parse, a list of
// points by tag, JSON.stringify. Nothing is checked, nothing is on disk; points are as they came.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Tvq {
  readonly t: string;
  readonly v: number;
  readonly q: number;
}

interface Read {
  readonly tagname: readonly string[];
  /** Without them only the newest point of each tag is read. */
  readonly start?: string;
  readonly end?: string;
}

/** Time in ms, value and quality of one point behind the other. */
const tags = new Map<string, number[]>();

const server = createServer((request, response) => {
  void readAll(request).then((bytes) => {
    const body: unknown = JSON.parse(bytes.toString());
    const isRead = request.url?.includes('/read') === true;
    const answer = isRead ? read(body as Read) : { written: store(body as Record<string, readonly Tvq[]>) };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(answer));
  });
});

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function store(body: Record<string, readonly Tvq[]>): number {
  let written = 0;
  for (const [name, points] of Object.entries(body)) {
    const list = tags.get(name) ?? [];
    tags.set(name, list);
    for (const { t, v, q } of points) list.push(Date.parse(t), v, q);
    written += points.length;
  }
  return written;
}

function read({ tagname, start, end }: Read): object {
  const [startMs, endMs] = [Date.parse(start ?? ''), Date.parse(end ?? '')];
  const tl = tagname.map((n) => {
    const list = tags.get(n) ?? [];
    return { t: { n }, d: start === undefined ? pointsOf(list.slice(-3)) : pointsOf(list, startMs, endMs) };
  });
  return { tl };
}

function pointsOf(list: readonly number[], startMs = 0, endMs = Number.POSITIVE_INFINITY): Tvq[] {
  const points: Tvq[] = [];
  for (let i = 0; i < list.length; i += 3) {
    const ms = list[i] as number;
    if (ms < startMs || ms > endMs) continue;
    points.push({ t: new Date(ms).toISOString(), v: list[i + 1] as number, q: list[i + 2] as number });
  }
  return points;
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`);
});
