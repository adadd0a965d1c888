// Bodies that are long, untidy, or made to be more than anybody sends: of points in every form, and of everything else.

import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { pack } from 'msgpackr';
import { type ExpensiveRequest, type FairnessContext, inSlice, sized, take } from './expensive-request.ts';

const MIB = 2 ** 20;
/** The longest body, by default. */
const LIMIT_BYTES = 16 * MIB;
const PATH = '/api/datasets/FairBodies';
const JSON_TYPE = { 'content-type': 'application/json' };
const MSGPACK_TYPE = { 'content-type': 'application/msgpack' };
const FIRST_MS = Date.UTC(2024, 0, 1);

interface BodyRequest {
  readonly name: string;
  readonly method?: 'POST' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly make: (context: FairnessContext) => string | Uint8Array;
  readonly status: number;
}

/** The body is made before it is measured, and once only. */
function row({ name, method = 'POST', path, headers = JSON_TYPE, make, status }: BodyRequest): ExpensiveRequest {
  let body: string | Uint8Array | undefined;
  return {
    name,
    async setUp(context) {
      await context.once('the tag of markers', () => writeBig(context));
      body ??= make(context);
    },
    async send(context) {
      const answer = await take(context, method, `${PATH}${path}`, { headers, body: body as string | Uint8Array });
      assert.equal(answer.status, status, name);
    },
  };
}

/** The first tag of its dataset: the markers are of it. */
async function writeBig(context: FairnessContext): Promise<void> {
  const { status } = await take(context, 'POST', `${PATH}/data`, { headers: JSON_TYPE, body: '{"Big":[{"v":1}]}' });
  assert.equal(status, 200);
}

function many(count: number, make: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => make(i)).join(',');
}

/** `filling` as often as it fits. */
function filled(front: string, filling: string, back: string, sizeBytes: number): Buffer {
  const count = Math.floor((sizeBytes - front.length - back.length) / filling.length);
  return Buffer.concat([Buffer.from(front), Buffer.alloc(count * filling.length, filling), Buffer.from(back)]);
}

const MARKER = Buffer.from('64.1').toString('base64url');

/** The bodies that are not points: up to 16 MiB. */
const metadataRequests: readonly ExpensiveRequest[] = [
  row({
    name: 'a tag of a million fields',
    path: '/tags',
    make: () => `[{"n":"Fields","fl":{${many(1_000_000, (i) => `"k${i}":"v"`)}}}]`,
    status: 413,
  }),
  row({
    name: 'a tag of a million units',
    path: '/tags',
    make: () => `[{"n":"Units","u":{${many(1_000_000, (i) => `"${i}":"v"`)}}}]`,
    status: 413,
  }),
  row({
    name: 'a million unknown keys',
    path: '/tags/Keys',
    make: () => `{"n":"Keys",${many(1_000_000, (i) => `"k${i}":1`)}}`,
    status: 413,
  }),
  inSlice(
    row({
      name: 'definitions with 900 unknown keys each',
      path: '/tags',
      make: () => `[${many(200, () => `{"n":"T",${many(900, (i) => `"${'k'.repeat(50)}${i}":1`)}}`)}]`,
      status: 400,
    }),
  ),
  row({
    name: 'a read of 1.3 million names',
    path: '/read',
    make: () => `{"tagname":[${many(1_300_000, (i) => `"N${i}"`)}]}`,
    status: 413,
  }),
  row({
    name: 'a read of very many unknown names',
    path: '/read',
    make: (context) => `{"tagname":[${many(sized(context, 50_000, 500_000), (i) => `"None${i}"`)}]}`,
    status: 404,
  }),
  row({
    name: 'a read with 1.4 million markers',
    path: '/read',
    make: () => filled('{"tagname":["Big"],"after":[', `"${MARKER}",`, `"${MARKER}"]}`, 14 * MIB),
    status: 413,
  }),
  inSlice(
    row({
      name: 'a read with very many markers',
      path: '/read',
      make: (context) =>
        `{"tagname":["Big"],"start":"2024-01-01","after":[${many(sized(context, 50_000, 500_000), () => `"${MARKER}"`)}]}`,
      status: 200,
    }),
  ),
  row({
    name: 'the deletion of very many unknown tags',
    method: 'DELETE',
    path: '/tags',
    make: (context) => `[${many(sized(context, 50_000, 500_000), (i) => `"None${i}"`)}]`,
    status: 404,
  }),
  row({
    name: 'empty objects as definitions',
    path: '/tags',
    make: () => filled('[', '{},', '{}]', 16 * MIB),
    status: 413,
  }),
  row({
    name: 'empty arrays in arrays as definitions',
    path: '/tags',
    make: () => filled('[[', '[],', '[]]]', 16 * MIB),
    status: 413,
  }),
  row({ name: '16 MiB of open arrays', path: '/tags', make: () => Buffer.alloc(16 * MIB, '['), status: 400 }),
  row({ name: '16 MiB of white space', path: '/tags', make: () => Buffer.alloc(16 * MIB, ' '), status: 400 }),
  row({
    name: 'as many statuses as are taken',
    path: '/status',
    make: () => `[${many(10_000, () => '{"q":28}')}]`,
    status: 200,
  }),
  row({
    name: 'a million statuses',
    path: '/status',
    make: () => filled('[', '{"q":28},', '{}]', 10 * MIB),
    status: 413,
  }),
];

function times(count: number, separator: string): string {
  return Array.from({ length: count }, (_, i) => FIRST_MS + i * 1000).join(separator);
}

function values(count: number, separator: string, make: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => make(i)).join(separator);
}

function decimal(i: number): string {
  return (10 + ((i * 7919) % 80) / 10).toFixed(1);
}

interface LongWrite {
  readonly name: string;
  readonly make: (context: FairnessContext) => string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
}

/** A smaller one in the slice; every round writes the same points again. */
function write({ name, make, headers, status }: LongWrite): ExpensiveRequest {
  return row({
    name: `a write of ${name}`,
    path: '/data',
    make,
    status,
    ...(headers === undefined ? {} : { headers }),
  });
}

/** In full as long as a body may be. */
function long(context: FairnessContext): number {
  return sized(context, 2 * MIB, LIMIT_BYTES);
}

function tvq(i: number): string {
  return `{"t":"${new Date(FIRST_MS + i * 1000).toISOString()}","v":${decimal(i)},"q":192}`;
}

function points(sizeBytes: number, tagCount: number): string {
  const perTag = Math.floor((sizeBytes * 0.99) / tagCount / 52);
  const one = many(perTag, tvq);
  return `{${many(tagCount, (i) => `"P${tagCount}.${i}":[${one}]`)}}`;
}

/** An array of msgpack of so many small numbers. */
function smallNumbers(count: number): Buffer {
  const array = Buffer.alloc(5 + count, 1);
  array[0] = 0xdd;
  array.writeUInt32BE(count, 1);
  return array;
}

const jsonWrites: readonly LongWrite[] = [
  { name: 'points of 1,000 tags', make: (context) => points(long(context), 1000), status: 200 },
  { name: 'points of one tag', make: (context) => points(long(context), 1), status: 200 },
  {
    name: 'columns of one tag',
    make: () => {
      const count = Math.floor(LIMIT_BYTES / 20);
      return `{"C":{"t":[${times(count, ',')}],"v":[${values(count, ',', decimal)}]}}`;
    },
    status: 200,
  },
  {
    name: 'columns with blanks',
    make: (context) => {
      const count = Math.floor(long(context) / 22);
      return `{"CB":{"t": [${times(count, ', ')}], "v": [${values(count, ', ', decimal)}]}}`;
    },
    status: 200,
  },
  {
    name: 'columns of texts',
    make: (context) => {
      const count = Math.floor(long(context) / 22);
      return `{"CT":{"t":[${times(count, ',')}],"v":[${values(count, ',', (i) => `"a${i % 90}"`)}]}}`;
    },
    status: 200,
  },
  {
    name: 'long texts',
    make: (context) => {
      const count = Math.floor(long(context) / 40_020);
      const text = (i: number): string => `"${'a recipe '.repeat(4444)}${i}"`;
      return `{"CL":{"t":[${times(count, ',')}],"v":[${values(count, ',', text)}]}}`;
    },
    status: 200,
  },
  {
    name: 'columns of unequal lengths',
    make: (context) => {
      // The columns have as many entries as a write may have, but for some.
      const half = sized(context, MIB, 7.5 * MIB);
      return Buffer.concat([filled('{"CU":{"t":[', '1,', '1],', half), filled('"v":[', '1,', '1]}}', half - 20)]);
    },
    status: 400,
  },
  { name: 'points under no name', make: (context) => filled('{"":[', '{},', '{}]}', long(context)), status: 400 },
  {
    name: 'a point of a million members',
    make: () => filled('{"T":[{', '"v":1,', '"v":1}]}', LIMIT_BYTES),
    status: 400,
  },
  { name: 'an array for a value', make: () => filled('{"T":[{"v":[', '1,', '1]}]}', LIMIT_BYTES), status: 400 },
  {
    name: 'an unknown column',
    make: () => filled('{"T":{"t":[1],"v":[1],"x":[', '1,', '1]}}', LIMIT_BYTES),
    status: 400,
  },
  { name: 'an array for an object', make: () => filled('[', '1,', '1]', LIMIT_BYTES), status: 400 },
  {
    name: 'the same tag twice',
    make: (context) => {
      const half = sized(context, 3 * MIB, 6 * MIB);
      return Buffer.concat([filled('{"S":[', '{},', '{}],', half), filled('"S":[', '{},', '{}]}', half)]);
    },
    status: 200,
  },
  { name: 'more points than are taken', make: () => filled('{"T":[', '{},', '{}]}', LIMIT_BYTES), status: 413 },
  {
    name: 'names beyond ASCII',
    make: (context) => `{"Ü":[${many(Math.floor(long(context) / 53), tvq)}]}`,
    status: 200,
  },
];

const msgpackWrites: readonly LongWrite[] = [
  {
    name: 'msgpack columns',
    make: (context) => {
      const count = Math.floor(long(context) / 19);
      const [t, v] = [(i: number) => FIRST_MS + i * 1000, (i: number) => i / 3].map((of) =>
        Array.from({ length: count }, (_, i) => of(i)),
      );
      return pack({ MC: { t, v } });
    },
    status: 200,
  },
  {
    name: 'msgpack columns of texts',
    make: (context) => {
      const count = Math.floor(long(context) / 19);
      const t = Array.from({ length: count }, (_, i) => FIRST_MS + i * 1000);
      return pack({ MT: { t, v: t.map((_, i) => `t${i % 900}`) } });
    },
    status: 200,
  },
  {
    name: 'msgpack columns of more points than are taken',
    make: () => {
      const front = Buffer.from([0x81, 0xa2, 0x4d, 0x53, 0x82, 0xa1, 0x74]);
      return Buffer.concat([front, smallNumbers(8_000_000), Buffer.from([0xa1, 0x76]), smallNumbers(8_000_000)]);
    },
    status: 413,
  },
];

const gzipBodies: ExpensiveRequest = {
  name: 'many gzip bodies of 15 MB at once',
  async send(context) {
    const body = gzipSync(Buffer.alloc(15 * MIB, ' '), { level: 1 });
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    const count = sized(context, 6, 60);
    const answers = await Promise.all(
      Array.from({ length: count }, () => take(context, 'POST', `${PATH}/data`, { headers, body })),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [400]);
  },
};

export const bodyRequests: readonly ExpensiveRequest[] = [
  ...metadataRequests,
  ...jsonWrites.map((one) => (one.name === 'columns with blanks' ? inSlice(write(one)) : write(one))),
  ...msgpackWrites.map((one) => write({ ...one, headers: MSGPACK_TYPE })),
  gzipBodies,
];
