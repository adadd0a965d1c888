// What anybody would write first, as a yardstick that is the same on every machine: node:http, JSON.parse, a list of
// points by tag. No quality checks, nothing on disk, nothing in order.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Tvq {
  readonly t: string;
  readonly v: number;
  readonly q: number;
}

const tags = new Map<string, number[]>();

const server = createServer((request, response) => {
  void readAll(request).then((bytes) => {
    const written = store(JSON.parse(bytes.toString()) as Record<string, readonly Tvq[]>);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ written }));
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

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`);
});
