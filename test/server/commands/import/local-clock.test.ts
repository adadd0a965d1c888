// The hour that clocks show twice: told apart by the order of the rows, and never by a silent guess.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFile, sendFile } from '../../../../server/commands/import/import-file.ts';
import { openFile } from '../../../../server/commands/import/open-file.ts';
import type { ImportWishes } from '../../../../server/commands/import/opened-file.ts';
import type { PointBatch } from '../../../../server/commands/import/point-batch.ts';

interface Read {
  /** Hours and minutes in UTC, each with its value. */
  readonly points: string[];
  readonly faults: string[];
  readonly doubts: readonly string[];
}

async function read(text: string, wishes: Partial<ImportWishes> = {}, isOnePass = false): Promise<Read> {
  const bytes = Buffer.from(text);
  const opened = openFile(bytes, true, { texts: new Set(), zone: 'Europe/Berlin', ...wishes });
  async function* slices(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  const source = { ...opened, slices, isOnePass, isWhole: !isOnePass };
  const points: string[] = [];
  const sender = {
    async send(batch: PointBatch): Promise<void> {
      const body = JSON.parse(batch.body()) as Record<string, { t: string; v: unknown }[]>;
      for (const [tag, run] of Object.entries(body))
        for (const { t, v } of run) points.push(`${tag} ${t.slice(11, 16)} ${v}`);
    },
  };
  const faults: string[] = [];
  const onReject = ({ line, message }: { line: number; message: string }): void => {
    faults.push(`${line}: ${message}`);
  };
  if (isOnePass) return { points, doubts: (await sendFile(source, sender, { onReject })).doubts, faults };
  const check = await checkFile(source);
  await sendFile(check.opened, sender, { onReject, sorts: check.isUnsorted, findings: check.findings });
  assert.equal(check.faultCount, faults.length);
  return { points, faults, doubts: check.doubts };
}

/** Rows of the night in which clocks in Berlin are put back from 3 to 2. */
function wide(...clocks: string[]): string {
  return `time,P\n${clocks.map((clock, i) => `2025-10-26 ${clock},${i + 1}`).join('\n')}\n`;
}

function long(...rows: string[]): string {
  return `tag,time,value\n${rows.map((row, i) => row.replace(' ', ',2025-10-26 ').concat(`,${i + 1}`)).join('\n')}\n`;
}

const TOLD: readonly (readonly [what: string, text: string, wanted: string])[] = [
  ['hours, oldest first', wide('01:00', '02:00', '02:00', '03:00'), 'P 23:00 1,P 00:00 2,P 01:00 3,P 02:00 4'],
  ['hours, newest first', wide('03:00', '02:00', '02:00', '01:00'), 'P 23:00 4,P 00:00 3,P 01:00 2,P 02:00 1'],
  [
    'hours of several tags',
    long('A 01:00', 'B 01:00', 'A 02:00', 'B 02:00', 'A 02:00', 'B 02:00', 'A 03:00', 'B 03:00'),
    'A 23:00 1,A 00:00 3,A 01:00 5,A 02:00 7,B 23:00 2,B 00:00 4,B 01:00 6,B 02:00 8',
  ],
  [
    'one tag after the other',
    long('A 01:30', 'A 02:30', 'A 02:10', 'A 03:30', 'B 01:30', 'B 02:40', 'B 02:20', 'B 03:30'),
    'A 23:30 1,A 00:30 2,A 01:10 3,A 02:30 4,B 23:30 5,B 00:40 6,B 01:20 7,B 02:30 8',
  ],
  [
    'days that are newest first, with rows that are oldest first',
    `${wide('01:30', '02:30', '02:10', '03:30')}2025-10-25 03:00,5\n2025-10-25 04:00,6\n`,
    'P 01:00 5,P 02:00 6,P 23:30 1,P 00:30 2,P 01:10 3,P 02:30 4',
  ],
];

test('the order of the rows tells which hour it is', async () => {
  for (const [what, text, wanted] of TOLD) {
    const { points, faults, doubts } = await read(text);
    assert.deepEqual([points.join(), faults, doubts], [wanted, [], []], what);
  }
});

test('an hour of which no row tells whether it is the first or the second is told, and the flag says it', async () => {
  const text = wide('01:30', '02:10', '02:30', '03:30');
  const guessed = await read(text);
  assert.deepEqual(guessed.points, ['P 23:30 1', 'P 00:10 2', 'P 00:30 3', 'P 02:30 4']);
  assert.deepEqual(guessed.doubts, [
    'Line 3: clocks in Europe/Berlin show this hour twice, and no row tells which it is (2 rows); it is taken for the first one. --twice second where it is the other.',
  ]);
  const said = await read(text, { twice: 'second' });
  assert.deepEqual([said.points, said.doubts], [['P 23:30 1', 'P 01:10 2', 'P 01:30 3', 'P 02:30 4'], []]);
  assert.deepEqual((await read(text, { twice: 'first' })).doubts, []);
});

test('rows in no order are refused in that hour, by their lines, unless the flag says which it is', async () => {
  const text = wide('01:30', '02:40', '02:10', '02:50', '02:20', '05:00', '04:00');
  const { points, faults } = await read(text);
  assert.deepEqual(points, ['P 23:30 1', 'P 03:00 7', 'P 04:00 6']);
  assert.deepEqual(
    faults.map((fault) => fault.split(':')[0]),
    ['3', '4', '5', '6'],
  );
  assert.match(
    faults[0] ?? '',
    /show 2025-10-26 02:40 twice, .* want rows sorted by time, or --twice first or --twice second$/,
  );
  const said = await read(text, { twice: 'first' });
  assert.deepEqual([said.points.length, said.faults], [7, []]);
  const shuffled = await read(wide('03:30', '02:40', '04:30', '01:30', '02:10', '03:10'));
  assert.deepEqual(
    shuffled.faults.map((fault) => fault.split(':')[0]),
    ['3', '6'],
  );
});

test('rows that come only once are refused where they may be of the other hour', async () => {
  const told = await read(wide('01:30', '02:30', '02:10', '03:30'), {}, true);
  assert.deepEqual(told.points, ['P 23:30 1', 'P 00:30 2', 'P 01:10 3', 'P 02:30 4']);
  const hourly = await read(wide('01:00', '02:00', '02:00', '03:00'), {}, true);
  assert.match(hourly.faults.join(), /^4: clocks in Europe\/Berlin show 2025-10-26 02:00 twice/);
  const untold = await read(wide('01:30', '02:30', '03:30'), {}, true);
  assert.match(untold.doubts.join(), /^Line 3: clocks in Europe\/Berlin show this hour twice/);
});
