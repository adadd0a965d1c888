// Attacks by what bodies hold, and by how large they are, packed and unpacked.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync } from 'node:zlib';
import {
  type Attack,
  type AttackContext,
  assertStatus,
  DATASET,
  hostHeader,
  MIB,
  openMany,
  sized,
  withClients,
} from './attack-context.ts';
import { HOSTILE_BODIES, HOSTILE_POINTS } from './hostile-bodies.ts';
import { LARGE_BODIES } from './large-bodies.ts';

const LIMIT_BYTES = 16 * MIB;
/** What a bomb unpacks to. */
const BOMB_BYTES = 1024 * MIB;
const JSON_TYPE = { 'content-type': 'application/json' };

export const bodyAttacks: readonly Attack[] = [
  { name: 'hostile JSON', growthLimitBytes: 128 * MIB, run: sendHostile },
  { name: 'bodies of 16 MB', growthLimitBytes: 1536 * MIB, run: sendLarge },
  { name: 'bodies of 16 MB that never come', growthLimitBytes: 128 * MIB, run: promiseLarge },
  { name: 'bodies above the limit', growthLimitBytes: 256 * MIB, run: sendTooLarge },
  { name: 'gzip bombs', growthLimitBytes: 1280 * MIB, run: sendBombs },
  {
    name: 'reads of very many tags',
    growthLimitBytes: 256 * MIB,
    fullGrowthLimitBytes: 512 * MIB,
    run: readManyTags,
  },
];

/** Routes that take a body. */
const BODY_PATHS = ['/data', '/data/Hostile', '/tags', '/tags/Hostile', '/status', '/read', ''] as const;

async function sendHostile({ http }: AttackContext): Promise<number> {
  let count = 0;
  for (const [title, body, status] of HOSTILE_POINTS) {
    const answer = await http.send('POST', `${DATASET}/data/Hostile`, { headers: JSON_TYPE, body });
    assertStatus(answer, [status], title);
    count++;
  }
  for (const [title, body] of HOSTILE_BODIES) {
    for (const path of BODY_PATHS) {
      for (const headers of [JSON_TYPE, { ...JSON_TYPE, prefer: 'handling=lenient' }]) {
        const answer = await http.send('POST', DATASET + path, { headers, body });
        assertStatus(answer, [200, 201, 400, 404, 409, 413], `${title} to ${path}`);
        count++;
      }
    }
  }
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  return count;
}

async function sendLarge(context: AttackContext): Promise<number> {
  const { http } = context;
  const sizeBytes = sized(context, LIMIT_BYTES / 2, LIMIT_BYTES);
  let count = 0;
  for (const [title, make, statuses] of LARGE_BODIES) {
    const body = make(sizeBytes);
    assert.ok(body.length <= sizeBytes && body.length > 0.99 * sizeBytes, `${title}: ${body.length} bytes`);
    const answer = await http.send('POST', `${DATASET}/data`, { headers: JSON_TYPE, body });
    assertStatus(answer, statuses, title);
    count++;
  }
  return count;
}

/** Many announce a large body and send the beginning of it, then nothing; the memory is not set aside for them. */
async function promiseLarge(context: AttackContext): Promise<number> {
  const count = sized(context, 100, 1000);
  const head = `POST ${DATASET}/data HTTP/1.1\r\nHost: ${hostHeader(context)}\r\nContent-Length: ${LIMIT_BYTES}\r\n\r\n`;
  await withClients(await openMany(context.port, count), async (clients) => {
    for (const client of clients) client.send(`${head}{"T":[`);
    await delay(1000);
  });
  return count;
}

async function sendTooLarge(context: AttackContext): Promise<number> {
  const { http } = context;
  const rounds = sized(context, 2, 10);
  for (let round = 0; round < rounds; round++) {
    const body = Buffer.alloc(LIMIT_BYTES + 1, ' ');
    const answer = await http.send('POST', `${DATASET}/data`, { headers: JSON_TYPE, body });
    assertStatus(answer, [413], 'one byte too many');
  }
  const clients = await openMany(context.port, 1);
  await withClients(clients, async ([client]) => {
    if (client === undefined) return;
    client.send(`POST ${DATASET}/data HTTP/1.1\r\nHost: ${hostHeader(context)}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    for (let i = 0; i < 4096 && !client.isClosed && client.answers.length === 0; i++) {
      client.send(chunk);
      if (i % 16 === 0) await delay(1);
    }
    await client.until(() => client.isClosed || client.answers.length > 0, 20_000);
    assert.ok(client.answers.every(({ status }) => status === 413));
  });
  return rounds + 1;
}

/** Blanks, packed. */
async function gzipBomb(sizeBytes: number): Promise<Buffer> {
  const gzip = createGzip();
  const pieces: Buffer[] = [];
  gzip.on('data', (piece: Buffer) => pieces.push(piece));
  const piece = Buffer.alloc(16 * MIB, ' ');
  for (let i = 0; i < sizeBytes / piece.length; i++) {
    await new Promise<void>((resolve, reject) => {
      gzip.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }
  await new Promise((resolve) => gzip.end(resolve));
  return Buffer.concat(pieces);
}

async function sendBombs(context: AttackContext): Promise<number> {
  const { http } = context;
  const blanks = Buffer.alloc(128 * MIB, ' ');
  const brotli = brotliCompressSync(blanks, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  const gzip = await gzipBomb(sized(context, BOMB_BYTES / 8, BOMB_BYTES));
  const small = gzipSync('{}');
  const bombs: readonly (readonly [string, string, Buffer, number])[] = [
    ['gzip', 'gzip', gzip, 413],
    ['deflate', 'deflate', deflateSync(blanks), 413],
    ['br', 'br', brotli, 413],
    ['gzip within gzip', 'gzip, gzip', gzipSync(gzip), 415],
    ['many members', 'gzip', Buffer.concat(Array.from({ length: 50_000 }, () => small)), 400],
    ['cut off', 'gzip', gzip.subarray(0, 5000), 400],
    ['not gzip', 'gzip', Buffer.from('{}'), 400],
  ];
  for (const [title, encoding, body, status] of bombs) {
    const headers = { ...JSON_TYPE, 'content-encoding': encoding };
    assertStatus(await http.send('POST', `${DATASET}/data`, { headers, body }), [status], title);
  }
  const count = sized(context, 10, 60);
  const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
  const answers = await Promise.all(
    Array.from({ length: count }, () => http.send('POST', `${DATASET}/data`, { headers, body: gzip })),
  );
  for (const answer of answers) assertStatus(answer, [413, 503], 'bombs at once');
  return bombs.length + count;
}

/** Reads as many names as a body takes: unknown ones, one again and again, and the value of each at a time. */
async function readManyTags(context: AttackContext): Promise<number> {
  const { http } = context;
  const count = sized(context, 20_000, 300_000);
  const end = '2024-01-01T12:00:00Z';
  const reads: readonly (readonly [string, object, readonly number[]])[] = [
    ['unknown', { tagname: Array.from({ length: count }, (_, i) => `None${i}`) }, [404]],
    ['unknown, left out', { tagname: Array.from({ length: count }, (_, i) => `None${i}`), missing: 'skip' }, [200]],
    ['newest', { tagname: Array.from({ length: count }, () => 'Big') }, [200]],
    ['at a time', { tagname: Array.from({ length: count }, (_, i) => `Big${1 + (i % 9)}`), end }, [200]],
    [
      'with a range and carry-in',
      { tagname: Array.from({ length: count }, () => 'Big'), start: end, end, boundary: 'carry' },
      [200],
    ],
    ['with markers', { tagname: ['Big'], after: Array.from({ length: count }, () => 'x'), start: end }, [400]],
  ];
  for (const [title, body, statuses] of reads) {
    assertStatus(await http.post(`${DATASET}/read`, body), statuses, title);
  }
  return reads.length;
}
