// Marks of corrections, and the points that are said to be from one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CorrectionAnswer } from '../../../../server/explorer/corrections/correction.ts';
import { correctionOf, correctionSpans } from '../../../../server/explorer/corrections/correction-marks.ts';
import { correctionsTitle } from '../../../../server/explorer/corrections/correction-text.ts';

const START_MS = Date.UTC(2026, 0, 5, 8);
const MINUTE_MS = 60_000;
const window = { startMs: START_MS, endMs: START_MS + 60 * MINUTE_MS };
const at = (minute: number): string => new Date(START_MS + minute * MINUTE_MS).toISOString();

function correction(id: number, minutes: readonly [number, number], rest: Partial<CorrectionAnswer> = {}) {
  const [start, end] = [at(minutes[0]), at(minutes[1])];
  const made = { at: at(90), by: 'anna', reason: 'Sensor', undone: null };
  return { id, tag: 'A', kind: 'replace', start, end, points: 1, ...made, ...rest } as CorrectionAnswer;
}

test('corrections in force that touch the window are marked in order of time; close ones are one mark', () => {
  const undone = { at: at(99), by: '', reason: '' };
  const all = [
    correction(5, [40, 50]),
    correction(4, [30, 31], { undone }),
    correction(3, [-20, -10]),
    correction(2, [12, 20], { kind: 'cut' }),
    correction(1, [-5, 2]),
    correction(6, [50.1, 50.2]),
  ];
  const spans = correctionSpans(all, window, 600);
  assert.deepEqual(
    spans.map(({ members }) => members.map(({ id }) => id)),
    [[1], [5, 6]],
  );
  assert.deepEqual(
    spans.map(({ startMs, endMs }) => [(startMs - START_MS) / MINUTE_MS, (endMs - START_MS) / MINUTE_MS]),
    [
      [-5, 2],
      [40, 50.2],
    ],
  );
  // Six pixels between them are enough to tell them apart.
  assert.equal(correctionSpans(all, window, 3600 * 12).length, 3);
});

test('a point belongs to the newest correction over it; of an insertion only the ends are known', () => {
  const all = [
    correction(3, [10, 20], { kind: 'insert', points: 3 }),
    correction(2, [15, 30]),
    correction(1, [0, 18], { kind: 'delete' }),
  ];
  const idAt = (minute: number): number | undefined => correctionOf(all, START_MS + minute * MINUTE_MS)?.id;
  assert.deepEqual([5, 10, 12, 16, 20, 30, 31].map(idAt), [1, 3, 1, 2, 3, 2, undefined]);
});

test('the first five are named, the others counted', () => {
  const many = Array.from({ length: 8 }, (_, id) => correction(id, [id, id]));
  const lines = correctionsTitle(many).split('\n');
  assert.equal(lines.length, 6);
  assert.match(lines[0] ?? '', /^Replaced 2026-01-05 .* \(anna, 2026-01-05 .*, Sensor\)$/);
  assert.equal(lines[5], 'and 3 more');
});
