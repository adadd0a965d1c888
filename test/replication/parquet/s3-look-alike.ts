// A small S3 over HTTP, in memory: PUT, GET, HEAD and ListObjectsV2 with pages, for one bucket in the path.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const BUCKET = 'plant-copies';

export interface S3Fault {
  readonly method: string;
  /** Part of the key or query; any when empty. */
  readonly part: string;
  readonly status: number;
  readonly code: string;
  /** Requests that meet it. */
  times: number;
  /** Stores the file all the same. */
  readonly isStored?: boolean;
}

export class S3LookAlike {
  readonly bucket = BUCKET;
  readonly credentials = { accessKeyId: 'look-alike', secretAccessKey: 'secret' };
  readonly objects = new Map<string, Buffer>();
  readonly faults: S3Fault[] = [];
  /** `METHOD key` of every request. */
  readonly requests: string[] = [];
  /** Small, so that listings have pages. */
  pageSize = 2;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const url = new URL(request.url ?? '/', 'http://look-alike');
    const [bucket = '', ...rest] = url.pathname.slice(1).split('/');
    const key = decodeURIComponent(rest.join('/'));
    const method = request.method ?? '';
    this.requests.push(`${method} ${key}`);
    const fault = this.faults.find((one) => one.method === method && one.times > 0 && request.url?.includes(one.part));
    if (fault) {
      fault.times--;
      if (fault.isStored) this.objects.set(key, body);
      return sendError(response, fault.status, fault.code);
    }
    const denied = this.#check(request, body);
    if (denied !== undefined) return sendError(response, 403, denied);
    if (bucket !== BUCKET) return sendError(response, 404, 'NoSuchBucket');
    this.#serve(method, key, { url, body, response });
  }

  #serve(method: string, key: string, { url, body, response }: { url: URL; body: Buffer; response: ServerResponse }) {
    if (method === 'PUT') {
      this.objects.set(key, body);
      response.setHeader('ETag', `"${createHash('md5').update(body).digest('hex')}"`).end();
      return;
    }
    if (key === '') return void response.setHeader('Content-Type', 'application/xml').end(this.#list(url.searchParams));
    const found = this.objects.get(key);
    if (found === undefined) return sendError(response, 404, 'NoSuchKey', method);
    response.setHeader('Content-Length', found.length).end(method === 'HEAD' ? undefined : found);
  }

  /** The key, and that the body is what was signed. */
  #check(request: IncomingMessage, body: Buffer): string | undefined {
    if (!request.headers.authorization?.includes(`Credential=${this.credentials.accessKeyId}/`))
      return 'InvalidAccessKeyId';
    const signed = request.headers['x-amz-content-sha256'];
    return signed === createHash('sha256').update(body).digest('hex') ? undefined : 'XAmzContentSHA256Mismatch';
  }

  #list(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter');
    const entries = new Set<string>();
    for (const key of [...this.objects.keys()].sort()) {
      if (!key.startsWith(prefix)) continue;
      const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
      entries.add(end < 0 ? key : key.slice(0, end + 1));
    }
    const after = query.get('continuation-token') ?? '';
    const rest = [...entries].filter((entry) => entry > after);
    const page = rest.slice(0, Math.min(this.pageSize, Number(query.get('max-keys') ?? 1000)));
    const isCut = page.length < rest.length;
    const items = page.map((entry) =>
      entry.endsWith('/')
        ? `<CommonPrefixes><Prefix>${escapeXml(entry)}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${escapeXml(entry)}</Key><Size>1</Size></Contents>`,
    );
    const next = isCut ? `<NextContinuationToken>${escapeXml(page.at(-1) ?? '')}</NextContinuationToken>` : '';
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${items.join('')}</ListBucketResult>`;
  }
}

function sendError(response: ServerResponse, status: number, code: string, method = ''): void {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>of the look-alike</Message></Error>`;
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(method === 'HEAD' ? undefined : text);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function escapeXml(text: string): string {
  return text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
}
