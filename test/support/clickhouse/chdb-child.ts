// A process of its own for npm's chdb (ClickHouse 26.7), behind just enough of ClickHouse's HTTP interface for its client: chdb
// blocks the process that uses it. Arguments: the folder. Prints its port.

import { unlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { loadChdb } from './chdb-package.ts';

/** Parameters of a request that are no settings of a query, or that this server has no use for. */
const NOT_SETTINGS = new Set([
  'query',
  'query_id',
  'session_id',
  'database',
  'default_format',
  'enable_http_compression',
  'insert_quorum',
  'insert_quorum_timeout',
  'role',
]);

const folder = process.argv[2] ?? '';
const { Session } = await loadChdb();
const session = new Session(folder);
let inserts = 0;

interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly code?: string;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

async function execute(url: URL, body: Buffer): Promise<Buffer> {
  const asked = url.searchParams.get('query');
  const query = asked ?? body.toString();
  const insert = asked === null ? null : /^\s*INSERT\s+INTO\s+([\s\S]+?)\s+FORMAT\s+(\w+)\s*$/i.exec(query);
  if (insert === null) return select(query, url);
  // A body goes through a file: an SQL text cannot hold all bytes.
  const path = `${folder}.insert${++inserts}`;
  writeFileSync(path, body);
  try {
    await session.queryAsync(`INSERT INTO ${insert[1]} FROM INFILE '${path}' FORMAT ${insert[2]}`);
  } finally {
    unlinkSync(path);
  }
  return Buffer.alloc(0);
}

async function select(query: string, url: URL): Promise<Buffer> {
  const format = /\bFORMAT\s+(\w+)\s*$/i.exec(query)?.[1] ?? 'TabSeparated';
  const settings = [...url.searchParams].filter(([name]) => !NOT_SETTINGS.has(name));
  const text = settings.map(([name, value]) => `${name}='${value}'`).join(', ');
  const isSelect = /^\s*(SELECT|WITH)/i.test(query) && settings.length > 0;
  const bare = query.replace(/\s*FORMAT\s+\w+\s*$/i, '');
  const result = await session.queryAsync(isSelect ? `${bare} SETTINGS ${text}` : bare, { format });
  return Buffer.from(result.bytes());
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://chdb');
  const body = await bodyOf(request);
  if (url.pathname === '/ping') return { status: 200, body: Buffer.from('Ok.\n') };
  try {
    return { status: 200, body: await execute(url, body) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { status: 500, body: Buffer.from(message), code: /Code: (\d+)/.exec(message)?.[1] ?? '1' };
  }
}

/** One query at a time: a session is no server. */
let last: Promise<unknown> = Promise.resolve();

const server = createServer((request, response) => {
  const answered = last.then(() => answer(request));
  last = answered.catch(() => undefined);
  void answered.then(
    ({ status, body, code }) => {
      response.writeHead(status, code === undefined ? {} : { 'x-clickhouse-exception-code': code });
      response.end(body);
    },
    () => response.destroy(),
  );
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
// Ends with the process that started it.
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
