// JSON lines and line protocol: values are of the kinds that the file says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFile } from '../../../../server/commands/import/open-file.ts';
import type { ImportWishes } from '../../../../server/commands/import/opened-file.ts';
import { previewOf } from '../../../../server/commands/import/preview.ts';
import { CsvFault } from '../../../../server/commands/import/recognise/csv-records.ts';
import { UnclearForm } from '../../../../server/commands/import/recognise/file-form.ts';
import { pointsOf } from './read-points.ts';

type Wishes = Partial<ImportWishes>;

const T = '2025-03-04T05:06:00Z';
const U = '2025-03-04T05:07:00Z';
const lines = (...objects: readonly object[]): string => objects.map((one) => `${JSON.stringify(one)}\n`).join('');

const TAKEN: readonly (readonly [what: string, text: string, wishes: Wishes, wanted: readonly string[]])[] = [
  [
    'JSON lines as the server gives them',
    `{"time":"${T}","tag":"P","value":1.50,"quality":192}\n{"time":"${T}","tag":"N","value":12345678901234567890,"quality":192}\n{"time":"${U}","tag":"P","value":null,"quality":24}\n{"time":"${T}","tag":"S","value":"-","quality":192}\n{"time":"${U}","tag":"S","value":"12","quality":192}\n{"time":"${T}","tag":"E","value":"","quality":0}\n`,
    {},
    [
      `P ${T} 1.5 192`,
      `N ${T} 12345678901234567890 192`,
      `P ${U} null 24`,
      `S ${T} "-" 192`,
      `S ${U} "12" 192`,
      `E ${T} "" 0`,
    ],
  ],
  [
    'a key for each tag, and one that comes later',
    lines({ time: T, P: 1, On: true }, { time: U, P: null, On: false, State: '  NaN' }),
    {},
    [`P ${T} 1 -`, `On ${T} true -`, `On ${U} false -`, `State ${U} "  NaN" -`],
  ],
  ['points of a stream', lines({ n: 'P', t: T, v: 80.5, q: 192 }), {}, [`P ${T} 80.5 192`]],
  ['seconds since 1970', lines({ ts: 1741064760.5, P: 4 }), {}, ['P 2025-03-04T05:06:00.500Z 4 -']],
  ['local times', lines({ time: '2025-03-04 06:06', P: 4 }), { zone: 'Europe/Berlin' }, [`P ${T} 4 -`]],
  [
    'times in a key that is named',
    lines({ begin: T, end: U, P: 4 }),
    { time: ['end'], prefix: 'M/' },
    [`M/begin ${U} "${T}" -`, `M/P ${U} 4 -`],
  ],
  [
    'line protocol, with the names that the server gives',
    `# DDL\nCREATE DATABASE mill WITH NAME autogen\n# DML\nmill,site=n temp=1.5,count=5i,on=t,state="a b" 1741064760000000100\n`,
    {},
    [
      'mill.site=n.temp 2025-03-04T05:06:00.0000001Z 1.5 -',
      'mill.site=n.count 2025-03-04T05:06:00.0000001Z 5 -',
      'mill.site=n.on 2025-03-04T05:06:00.0000001Z true -',
      'mill.site=n.state 2025-03-04T05:06:00.0000001Z "a b" -',
    ],
  ],
  [
    'line protocol in seconds, whole numbers of 64 bits, names by a template',
    `mill big=9223372036854775807i,huge=18446744073709551615u 1741064760\n`,
    { lineTemplate: '{field}@{measurement}', prefix: 'X ' },
    [`X big@mill ${T} 9223372036854775807 -`, `X huge@mill ${T} 18446744073709551615 -`],
  ],
];

test('JSON lines and line protocol are taken as they are', () => {
  for (const [what, text, wishes, wanted] of TAKEN) assert.deepEqual(pointsOf(text, wishes), wanted, what);
});

test('a faulty line is a fault of its own', () => {
  const good = lines({ time: T, P: 1 });
  const faults: readonly (readonly [text: string, wanted: RegExp])[] = [
    [`${good}{"time":"${T}","P":\n`, /^line 2: the line is no JSON \(/],
    [`${good}[1]\n`, /^line 2: got \[1\]; want an object of JSON in each line$/],
    [`${good}{"time":"${U}","P":{"a":1}}\n`, /^line 2: the value of "P" is an object; want a number, a text,/],
    [`${good}{"time":"${U}","P":"on"}\n`, /^line 2: got "on" for P; want a number, as in line 1/],
    [`${good}{"P":2}\n`, /^line 2: got the time ; want one of the form iso$/],
    [`${good}{"time":"${U}","P":1e999}\n`, /^line 2: the value of "P" is above 1\.8e308/],
  ];
  for (const [text, wanted] of faults) assert.match(pointsOf(text)[1] ?? '', wanted, text);
  const forced: Wishes = { input: 'lines' };
  const read = pointsOf(
    'm a=1 1741064760000000000\nm a=x 1741064760000000000\nm a=1\nm a="b" 1741064760000000000\n',
    forced,
  );
  assert.match(read[1] ?? '', /^line 2: .*; want a line of line protocol$/);
  assert.match(read[2] ?? '', /^line 3: the line has no time/);
  assert.match(read[3] ?? '', /^line 4: got "b" for m\.a; want a number, as in line 1/);
});

test('what JSON lines do not tell is asked for', () => {
  const unclear = (text: string, flag: RegExp): void =>
    assert.throws(
      () => pointsOf(text),
      (error) => (error instanceof UnclearForm || error instanceof CsvFault) && flag.test(error.message),
    );
  unclear(lines({ time: '2025-03-04 06:06', P: 4 }), /--tz/);
  unclear(lines({ begin: T, end: U, P: 4 }), /--time <column>/);
  unclear(lines({ P: 4, Q: 5 }), /no key has times \(P, Q\)/);
  unclear(`[${lines({ time: T, P: 4 }).trim()}]`, /array of JSON; want JSON lines/);
});

test('the preview says what it is, and the same as flags', () => {
  const shown = (text: string): readonly string[] => {
    const wishes: ImportWishes = { texts: new Set() };
    return previewOf('f', openFile(Buffer.from(text), true, wishes), wishes).lines;
  };
  const json = shown(lines({ time: T, tag: 'P', value: 4 }));
  assert.equal(json[0], 'f: JSON lines, a line for each point, times of the form iso, utf-8.');
  assert.equal(json.at(-1), '  varve import f --encoding utf-8 --input jsonl --time time --format iso');
  const influx = shown('m a=1 1741064760000\n');
  assert.equal(influx[0], 'f: line protocol, times in ms, utf-8.');
  assert.equal(influx.at(-1), '  varve import f --encoding utf-8 --input lines --format ms');
});
