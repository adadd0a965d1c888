// Bodies of just the largest size that is taken, each of another kind, for a write of many tags.

type LargeBody = readonly [title: string, make: (sizeBytes: number) => Buffer, statuses: readonly number[]];

const FIRST_MS = Date.UTC(2024, 0, 1);

export const LARGE_BODIES: readonly LargeBody[] = [
  ['points of 1,000 tags', (sizeBytes) => pointsOf(sizeBytes, 'L', 1000), [200]],
  ['points of one tag', (sizeBytes) => pointsOf(sizeBytes, 'One', 1), [200]],
  ['columns of one tag', columns, [200]],
  ['blanks', (sizeBytes) => Buffer.alloc(sizeBytes, ' '), [400]],
  ['one text', (sizeBytes) => around('{"T":[{"v":"', 'x', '"}]}', sizeBytes), [400]],
  ['one number', (sizeBytes) => around('{"T":[{"v":', '1', '}]}', sizeBytes), [400]],
  ['one name', (sizeBytes) => around('{"', 'n', '":[]}', sizeBytes), [400]],
  ['open arrays', (sizeBytes) => Buffer.alloc(sizeBytes, '['), [400]],
  ['empty objects', (sizeBytes) => around('{"T":[', '{},', '{}]}', sizeBytes), [200, 413]],
  ['faults', (sizeBytes) => around('{"T":[', '5,', '5]}', sizeBytes), [400]],
  ['escapes', (sizeBytes) => around('{"', '\\u0041', '":[]}', sizeBytes), [400]],
  ['names of ever more tags', names, [413]],
  ['one name again and again', (sizeBytes) => around('{', '"Same":[],', '"Same":[]}', sizeBytes), [200]],
];

/** `filling` as often as it fits between `front` and `back`. */
function around(front: string, filling: string, back: string, sizeBytes: number): Buffer {
  const count = Math.floor((sizeBytes - front.length - back.length) / filling.length);
  return Buffer.concat([Buffer.from(front), Buffer.alloc(count * filling.length, filling), Buffer.from(back)]);
}

function pointsOf(sizeBytes: number, prefix: string, tagCount: number): Buffer {
  const point = (i: number): string =>
    `{"t":"${new Date(FIRST_MS + i * 1000).toISOString()}","v":${((i * 7919) % 10_000) / 100},"q":192}`;
  const perTag = Math.floor((sizeBytes * 0.995) / tagCount / 53);
  const points = `[${Array.from({ length: perTag }, (_, i) => point(i)).join(',')}]`;
  const body = `{${Array.from({ length: tagCount }, (_, i) => `"${prefix}${i}":${points}`).join(',')}}`;
  return Buffer.from(body.padEnd(sizeBytes, ' '));
}

/** One point of each of more tags than a body may name. */
function names(sizeBytes: number): Buffer {
  const member = (i: number): string => `"${i.toString(36).padStart(5, '0')}":[{}]`;
  const count = Math.floor(sizeBytes / (member(0).length + 1)) - 1;
  return Buffer.from(`{${Array.from({ length: count }, (_, i) => member(i)).join(',')}}`.padEnd(sizeBytes, ' '));
}

function columns(sizeBytes: number): Buffer {
  const count = Math.floor((sizeBytes * 0.99) / 20);
  const times = Array.from({ length: count }, (_, i) => FIRST_MS + i * 1000).join(',');
  const values = Array.from({ length: count }, (_, i) => (10 + ((i * 7919) % 80)).toFixed(1)).join(',');
  return Buffer.from(`{"Columns":{"t":[${times}],"v":[${values}]}}`.padEnd(sizeBytes, ' '));
}
