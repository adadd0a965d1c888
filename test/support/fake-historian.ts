// A small historian in memory behind the HTTP API: the operations that a collector uses, with the rules that matter to it
// (late points are dropped, repeated ones are stored once, a bad point refuses its whole request). For tests of the
// simulator; it can be stopped and started again on the same port with what it holds, and told to fail.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface StoredPoint {
  readonly t: string;
  readonly v: unknown;
  readonly q: number;
}

interface FakeTag {
  object: Record<string, unknown>;
  readonly points: StoredPoint[];
}

interface FakeDataset {
  readonly definition: string;
  readonly tags: Map<string, FakeTag>;
  readonly statuses: StoredPoint[];
}

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Number of the connection that it came on. */
  readonly connection: number;
  /** Tag names of a data request. */
  readonly tags: readonly string[];
}

type Answer = readonly [status: number, body?: unknown];

export class FakeHistorian {
  readonly datasets = new Map<string, FakeDataset>();
  readonly requests: FakeRequest[] = [];
  counts = { written: 0, ignored: 0, repeated: 0 };
  /** When set, asked before every request: an answer given here is sent instead. */
  intercept: ((request: FakeRequest) => Answer | undefined) | undefined;
  /** When set, asked after every stored data request: its answer can be lost. */
  afterStoring: (() => 'answer' | 'cut the connection') | undefined;
  port = 0;
  #server: Server | undefined;
  readonly #sockets = new Map<Socket, number>();
  #connections = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens, the second time on the port of the first. */
  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response));
    server.on('connection', (socket) => {
      this.#sockets.set(socket, ++this.#connections);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (server.address() as AddressInfo).port;
  }

  /** Cuts every connection at once, as a killed server does. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets.keys()) socket.destroy();
    await closed;
  }

  points(dataset: string, tag: string): readonly StoredPoint[] {
    return this.datasets.get(dataset)?.tags.get(tag)?.points ?? [];
  }

  /** Every point of a dataset as lines, ordered by tag and time: for comparing two runs. */
  dump(dataset: string): string {
    const tags = [...(this.datasets.get(dataset)?.tags ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
    return tags
      .map(([name, tag]) => tag.points.map((p) => `${name} ${p.t} ${JSON.stringify(p.v)} ${p.q}`).join('\n'))
      .join('\n');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const raw = Buffer.concat(chunks);
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString();
    const url = new URL(request.url ?? '', this.url);
    const parts = url.pathname
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const seen: FakeRequest = {
      method: request.method ?? '',
      path: url.pathname,
      headers: request.headers,
      connection: this.#sockets.get(request.socket) ?? 0,
      tags: parts[3] === 'data' && isObject(body) ? Object.keys(body) : [],
    };
    this.requests.push(seen);
    const [status, answer] = this.intercept?.(seen) ?? this.#answer(seen.method, parts, url.searchParams, body);
    if (seen.tags.length > 0 && this.afterStoring?.() === 'cut the connection') {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' });
    response.end(answer === undefined ? undefined : JSON.stringify(answer));
  }

  #answer(method: string, parts: readonly string[], query: URLSearchParams, body: unknown): Answer {
    const [api, datasets, name, what] = parts;
    if (api !== 'api' || datasets !== 'datasets') return problem(404, 'no such path');
    if (name === undefined) return method === 'POST' ? this.#createDataset(body) : problem(405, 'POST only');
    if (method === 'DELETE') return this.datasets.delete(name) ? [200] : problem(404, 'no such dataset');
    if (what === 'tags' && method === 'POST') return this.#postTags(name, body);
    const dataset = this.datasets.get(name);
    if (dataset === undefined) return problem(404, `Dataset '${name}' could not be found.`);
    if (what === 'data') return method === 'POST' ? this.#postData(dataset, body) : readNewest(dataset, query);
    if (what === 'status' && Array.isArray(body)) {
      for (const tvq of body as StoredPoint[]) dataset.statuses.push(tvq);
      return [200];
    }
    return problem(404, 'no such path');
  }

  #createDataset(body: unknown): Answer {
    if (!isObject(body) || typeof body.n !== 'string') return problem(400, 'n is missing');
    const definition = JSON.stringify([body.n, body.pa, body.ps]);
    const existing = this.datasets.get(body.n);
    if (existing !== undefined) return existing.definition === definition ? [200, body] : problem(409, 'it exists');
    this.datasets.set(body.n, { definition, tags: new Map(), statuses: [] });
    return [201, body];
  }

  #postTags(name: string, body: unknown): Answer {
    if (!Array.isArray(body)) return problem(400, 'an array of tags');
    if (!this.datasets.has(name)) this.datasets.set(name, { definition: '', tags: new Map(), statuses: [] });
    const { tags } = this.datasets.get(name) as FakeDataset;
    for (const object of body as Record<string, unknown>[]) {
      const tag = tags.get(String(object.n));
      if (tag === undefined) tags.set(String(object.n), { object, points: [] });
      else tag.object = { ...tag.object, ...object };
    }
    return [200];
  }

  #postData(dataset: FakeDataset, body: unknown): Answer {
    const errors: { path: string; message: string }[] = [];
    for (const [name, tvqs] of Object.entries(body as Record<string, unknown[]>)) {
      for (const [index, tvq] of tvqs.entries()) {
        const message = faultOf(tvq, dataset.tags.get(name)?.object.t);
        if (message !== undefined) errors.push({ path: `/${name}/${index}/v`, message });
      }
    }
    if (errors.length > 0) return [400, { title: 'Bad Request', detail: 'some points are wrong', errors }];
    for (const [name, tvqs] of Object.entries(body as Record<string, StoredPoint[]>)) this.#append(dataset, name, tvqs);
    return [200];
  }

  #append(dataset: FakeDataset, name: string, tvqs: readonly StoredPoint[]): void {
    const tag = dataset.tags.get(name) ?? { object: { n: name }, points: [] };
    dataset.tags.set(name, tag);
    const newest = tag.points.at(-1)?.t ?? '';
    for (const point of tvqs) {
      if (point.t > newest) {
        tag.points.push(point);
        this.counts.written++;
      } else if (tag.points.some((p) => p.t === point.t && p.v === point.v && p.q === point.q)) {
        this.counts.repeated++;
      } else if (point.t < newest) {
        this.counts.ignored++;
      } else {
        tag.points.push(point);
        this.counts.written++;
      }
    }
  }
}

/** What the type of a tag does not take. */
function faultOf(tvq: unknown, type: unknown): string | undefined {
  if (!isObject(tvq)) return 'not a TVQ';
  const value = tvq.v;
  if (value === null) return undefined;
  if (type === 'System.String' || type === 'System.DateTime')
    return typeof value === 'string' ? undefined : 'text wanted';
  if (type === 'System.Boolean') return typeof value === 'boolean' ? undefined : 'true or false wanted';
  if (typeof value !== 'number') return 'a number wanted';
  return String(type).includes('Int') && !Number.isInteger(value) ? 'a whole number wanted' : undefined;
}

function readNewest(dataset: FakeDataset, query: URLSearchParams): Answer {
  const names = query.getAll('tagname');
  const known = names.filter((name) => dataset.tags.has(name));
  if (known.length < names.length && query.get('missing') !== 'skip') return problem(404, 'unknown tag');
  const tl = known.map((name) => {
    const tag = dataset.tags.get(name) as FakeTag;
    return { t: tag.object, d: tag.points.slice(-1) };
  });
  return [200, { tl }];
}

function problem(status: number, detail: string): Answer {
  return [status, { title: String(status), detail }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
