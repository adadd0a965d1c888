// Damaged blocks: whatever happens to the bytes, decoders say CORRUPT or give what was written; never anything else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../../engine/errors.ts';
import { decodeBlock, verifyBlockPayload } from '../../../engine/format/block/block.ts';
import {
  BLOCK_HEADER_LAYOUT,
  BLOCK_HEADER_MAX_BYTES,
  BLOCK_HEADER_MIN_BYTES,
  type BlockHeader,
  decodeBlockHeader,
} from '../../../engine/format/block/block-header.ts';
import { MAX_BLOCK_POINTS } from '../../../engine/format/bytes/block-limits.ts';
import { crc32 } from '../../../engine/format/bytes/crc.ts';
import { PointColumns, ValueType } from '../../../engine/types.ts';
import { createRandom, SEED } from './properties.ts';
import { ALL_TYPES, assertSame, blockOf, decode, everySecond, type Sample, START_MS } from './sample-points.ts';

/** Small blocks that between them use every column and most encodings. */
const BLOCKS: readonly (readonly [ValueType, readonly Sample[]])[] = [
  [ValueType.Double, everySecond([1.25, 2.5, null, -0, 1 / 3])],
  [ValueType.Double, everySecond(Array.from({ length: 40 }, (_, i) => i / 100))],
  [ValueType.Single, everySecond([0.1, 0.2, 0.3].map(Math.fround))],
  [ValueType.Int32, [0, 1, 2].map((i) => ({ ms: START_MS + i * i, ticks: i * 7, value: 10 ** i, quality: i * 64 }))],
  [ValueType.Boolean, everySecond(Array.from({ length: 60 }, (_, i) => (i > 30 ? 1 : 0)))],
  [ValueType.Int64, everySecond([-(2n ** 63n), 2n ** 63n - 1n])],
  [ValueType.DateTime, everySecond([638_000_000_000_000_000n, 638_000_000_010_000_000n])],
  [ValueType.String, everySecond(['on', 'off', 'on', 'é'])],
  [ValueType.Open, everySecond([null, null])],
];

/** Runs `work`; anything thrown must be CORRUPT. Says whether it threw. */
function isRefused(work: () => void, what: string): boolean {
  try {
    work();
    return false;
  } catch (error) {
    assert.ok(error instanceof EngineError && error.code === 'CORRUPT', `${what}: ${String(error)}`);
    return true;
  }
}

for (const [type, samples] of BLOCKS) {
  test(`each bit of a block of type ${type} (${samples.length} points) flipped is noticed`, () => {
    const bytes = blockOf(type, samples);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = bytes.slice();
      damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
      assert.ok(
        isRefused(() => decode(damaged), `bit ${bit}`),
        `bit ${bit} of byte ${bit >> 3}`,
      );
    }
    assertSame(type, decode(bytes).points, samples);
  });

  test(`a block of type ${type} (${samples.length} points) truncated at every byte is noticed`, () => {
    const bytes = blockOf(type, samples);
    for (let length = 0; length < bytes.length; length++) {
      assert.ok(
        isRefused(() => decode(bytes.slice(0, length)), `length ${length}`),
        `length ${length}`,
      );
    }
  });

  test(`a block of type ${type} (${samples.length} points) with a zeroed tail of any length is noticed`, () => {
    const bytes = blockOf(type, samples);
    for (let from = 0; from < bytes.length; from++) {
      const damaged = bytes.slice().fill(0, from);
      if (Buffer.compare(damaged, bytes) === 0) continue;
      assert.ok(
        isRefused(() => decode(damaged), `zeros from ${from}`),
        `zeros from ${from}`,
      );
    }
  });
}

test('D3: zeros never parse, whatever their number', () => {
  for (let length = 0; length < 400; length++) {
    assert.ok(isRefused(() => decodeBlockHeader(new Uint8Array(length), 0), `length ${length}`));
  }
});

test('an offset outside of the bytes is refused', () => {
  const bytes = blockOf(ValueType.Double, everySecond([1]));
  for (const offset of [-1, bytes.length, bytes.length + 10, 2 ** 40, Number.NaN]) {
    assert.ok(
      isRefused(() => decodeBlockHeader(bytes, offset), `offset ${offset}`),
      `offset ${offset}`,
    );
  }
});

test('random bytes are never a header', () => {
  const random = createRandom();
  for (let run = 0; run < 3000; run++) {
    const bytes = Uint8Array.from({ length: 5 + Math.floor(random() * 200) }, () => random() * 256);
    if (run % 2 === 0) bytes.set([0x56, 0x42, 0x4c, 0x4b, 1], 0);
    assert.ok(isRefused(() => decodeBlockHeader(bytes, 0), `run ${run} of SEED=${SEED}`));
  }
});

test('headers with any field made impossible are refused, although their CRC is right', () => {
  const bytes = blockOf(ValueType.Double, [
    { ms: START_MS, value: 1 },
    { ms: START_MS + 5, value: null, quality: 3 },
  ]);
  const impossible: readonly (readonly [field: string, value: number])[] = [
    ['magic', 1],
    ['version', 2],
    ['flags', 0xff],
    ['headerBytes', BLOCK_HEADER_MIN_BYTES],
    ['type', 15],
    ['payloadBytes', 2 ** 31],
    ['firstOrdinal', -1],
    ['firstOrdinal', 0.5],
    ['firstOrdinal', Number.NaN],
    ['firstOrdinal', 2 ** 53],
    ['ordinalCount', 1],
    ['pointCount', 0],
    ['pointCount', MAX_BLOCK_POINTS + 1],
    ['nullCount', 3],
    ['nullCount', 0],
    ['firstMs', Number.NaN],
    ['firstMs', START_MS + 6],
    ['firstMs', START_MS + 0.5],
    ['firstMs', -1e15],
    ['lastMs', Infinity],
    ['lastMs', 1e15],
    ['firstTicks', 10_000],
    ['lastTicks', 10_000],
    ['worstQuality', 4],
    ['worstIndex', 2],
    ['goodCount', 2],
    ['goodCount', 3],
  ];
  for (const [field, value] of impossible) {
    const damaged = withField(bytes, field, value);
    assert.ok(
      isRefused(() => decodeBlockHeader(damaged, 0), field),
      `${field} ${value}`,
    );
  }
});

/** The block with one field of its base header replaced, and its header CRC made right again. */
function withField(bytes: Uint8Array, field: string, value: number): Uint8Array {
  const damaged = bytes.slice();
  const view = new DataView(damaged.buffer);
  const values = BLOCK_HEADER_LAYOUT.decode(view, 0) as Record<string, number | bigint>;
  const headerBytes = values.headerBytes as number;
  values[field] = value;
  BLOCK_HEADER_LAYOUT.encode(view, 0, values as never);
  const base = crc32(damaged.subarray(0, BLOCK_HEADER_MIN_BYTES - 4));
  view.setUint32(BLOCK_HEADER_MIN_BYTES - 4, crc32(damaged.subarray(BLOCK_HEADER_MIN_BYTES, headerBytes), base), true);
  return damaged;
}

test('a right header over a foreign payload of the same length is refused by the payload CRC', () => {
  const one = blockOf(ValueType.Int32, everySecond([21, 21]));
  const two = blockOf(ValueType.Int32, everySecond([22, 22]));
  assert.equal(one.length, two.length);
  const { headerBytes } = decodeBlockHeader(one, 0);
  const mixed = one.slice();
  mixed.set(two.subarray(headerBytes), headerBytes);
  assert.equal(verifyBlockPayload(mixed, 0, decodeBlockHeader(mixed, 0)), false);
  assert.ok(isRefused(() => decode(mixed), 'mixed'));
});

/** Payload bytes that the CRC calls right: what the column decoders do when nothing else protects them. */
function decodePayload(payload: Uint8Array, header: BlockHeader): PointColumns {
  const points = new PointColumns(1);
  decodeBlock(
    payload,
    0,
    { ...header, headerBytes: 0, payloadBytes: payload.length, payloadCrc: crc32(payload) },
    points,
  );
  return points;
}

test('column decoders given any bytes refuse or fill every column, within the bounds of the header', () => {
  const random = createRandom();
  const encoded = BLOCKS.map(([type, samples]) => blockOf(type, samples)).map(
    (bytes) => [bytes, decodeBlockHeader(bytes, 0)] as const,
  );
  let decoded = 0;
  for (let run = 0; run < 12_000; run++) {
    const [bytes, header] = encoded[run % encoded.length] as (typeof encoded)[number];
    const payload = bytes.slice(header.headerBytes);
    for (let k = 0; k <= random() * 3; k++) payload[Math.floor(random() * payload.length)] = random() * 256;
    isRefused(() => {
      const points = decodePayload(payload, header);
      decoded++;
      assert.equal(points.count, header.pointCount);
      assert.ok(points.capacity <= 2 * MAX_BLOCK_POINTS);
    }, `run ${run} of SEED=${SEED}`);
  }
  assert.ok(decoded > 100, `${decoded} of the damaged payloads were decoded: too few to show anything`);
});

test('column decoders given random bytes refuse or fill, for every type and count', () => {
  const random = createRandom(SEED + 1);
  const template = decodeBlockHeader(blockOf(ValueType.Double, everySecond([1, null, 3])), 0);
  for (let run = 0; run < 8_000; run++) {
    const payload = Uint8Array.from({ length: 2 + Math.floor(random() * 60) }, () =>
      random() < 0.5 ? random() * 20 : random() * 256,
    );
    const header = {
      ...template,
      type: ALL_TYPES[run % ALL_TYPES.length] as ValueType,
      flags: Math.floor(random() * 64),
      pointCount: 1 + Math.floor(random() ** 3 * MAX_BLOCK_POINTS),
      firstMs: 0,
      lastMs: 0,
    };
    if (random() < 0.7) payload.set([0, 0], 0); // constant times of 0, as the header says
    isRefused(() => void decodePayload(payload, header), `run ${run} of SEED=${SEED}`);
  }
});

test('after a refusal the target is empty', () => {
  const bytes = blockOf(ValueType.String, everySecond(['a', 'b']));
  const header = decodeBlockHeader(bytes, 0);
  const points = new PointColumns(4);
  decodeBlock(bytes, 0, header, points);
  assert.equal(points.count, 2);
  const damaged = bytes.slice();
  damaged[damaged.length - 1] = (damaged[damaged.length - 1] as number) ^ 1;
  assert.ok(isRefused(() => decodeBlock(damaged, 0, header, points), 'damaged'));
  assert.deepEqual([points.count, ...points.texts], [0]);
});

test('a block at the very end of the bytes decodes like one in the middle', () => {
  for (const [type, samples] of BLOCKS) {
    const bytes = blockOf(type, samples);
    const inside = new Uint8Array(bytes.length + 100).fill(0xff);
    inside.set(bytes, 7);
    assertSame(type, decode(inside, 7).points, samples);
    const atEnd = new Uint8Array(bytes.length + 50).fill(0xff);
    atEnd.set(bytes, 50);
    assertSame(type, decode(atEnd, 50).points, samples);
  }
});

test('header sizes are those of the tables', () => {
  assert.deepEqual([BLOCK_HEADER_MIN_BYTES, BLOCK_HEADER_MAX_BYTES], [80, 142]);
});
