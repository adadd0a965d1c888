// The table of qualities of other systems: as docs/qualities.md prints it, row by row, and what it does not know.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { foreignQuality, knownQuality, lostQuality, qualityOfStatusCode } from '../../client/foreign-quality.ts';

const page = readFileSync(new URL('../../docs/qualities.md', import.meta.url), 'utf8');

/** What is written, and the quality that the page says for it. */
function rows(): [written: string, quality: number][] {
  return page.split('\n').flatMap((line) => {
    const [, , written = '', quality = ''] = line.split('|').map((cell) => cell.trim());
    const examples = [...written.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
    const isSame = quality.startsWith('the same');
    return examples.map((text): [string, number] => [text, isSame ? Number(text) : Number(quality)]);
  });
}

test('every row of the table holds, as a text and as what JSON makes of it', () => {
  const all = rows();
  assert.ok(all.length > 70, `${all.length} rows`);
  for (const [written, quality] of all) {
    const value = /^-?\d+$|^true$|^false$/.test(written) ? JSON.parse(written) : written;
    assert.equal(foreignQuality(value), quality, written);
    assert.equal(foreignQuality(written), quality, `'${written}'`);
  }
});

test('numbers of 32 bits with and without sign are one, also in hexadecimal and as whole numbers of 64 bits', () => {
  for (const code of [0x80000200, 0x80000204, 0x808a0000, 0xc0000300, 0x40000100, 0x00960000]) {
    const quality = foreignQuality(code);
    for (const form of [code | 0, BigInt(code), String(code | 0), `0x${code.toString(16)}`])
      assert.equal(foreignQuality(form), quality, String(form));
  }
  assert.equal(foreignQuality('0x00C0'), 192);
  assert.equal(foreignQuality(' 192 '), 192);
});

test('names are the same whatever stands between their words', () => {
  for (const text of ['bad_not_connected', 'Bad, not connected', 'BAD (NotConnected)'])
    assert.equal(foreignQuality(text), 8);
  assert.equal(foreignQuality('good [non-specific]'), 192);
});

test('what is not known is bad, never good', () => {
  const strange = [
    300,
    403,
    500.5,
    750,
    900,
    65_535,
    2 ** 32,
    -(2 ** 31) - 1,
    1e300,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ];
  const words = ['', 'goodbye', 'good or bad', 'not good', 'ok', 'gut', '192.5', '0x', '0x1000000C0', 'x'.repeat(1000)];
  for (const value of [...strange, ...words, null, undefined, {}, [192], 2n ** 64n]) {
    assert.equal(foreignQuality(value), 0, String(value));
    assert.equal(knownQuality(value), undefined, String(value));
  }
});

test('no number is good but those of OPC DA and status codes whose severity is good', () => {
  for (let code = 256; code < 65_536; code++) assert.ok(foreignQuality(code) < 64, String(code));
  for (let i = 0; i < 20_000; i++) {
    const code = Math.floor(((i * 0.6180339887) % 1) * 2 ** 32);
    if (foreignQuality(code) >= 192) assert.ok(code < 256 || code >>> 30 === 0, String(code));
  }
});

test('of a status code of OPC UA 0 is good, and so are those with bits of information', () => {
  for (const code of [0, 0x400, 0x480, 0x00a20000]) assert.equal(qualityOfStatusCode(code), 192, String(code));
  for (const code of [0x80000000, -1, 0.5, 2 ** 32, 0x10000000])
    assert.equal(qualityOfStatusCode(code), 0, String(code));
});

test('a lost value is bad at best', () => {
  assert.deepEqual([undefined, 192, 64, 24, 0].map(lostQuality), [0, 0, 0, 24, 0]);
});
