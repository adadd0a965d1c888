// Files as other systems write them: what they are taken for without a flag, or the flag that is asked for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFile } from '../../../../server/commands/import/open-file.ts';
import type { ImportWishes, OpenedFile } from '../../../../server/commands/import/opened-file.ts';
import { flagsOf, previewOf } from '../../../../server/commands/import/preview.ts';
import { UnclearForm } from '../../../../server/commands/import/recognise/file-form.ts';
import { pointsOf } from './read-points.ts';

type Wishes = Partial<ImportWishes>;

function open(text: string | Uint8Array, wishes: Wishes = {}): OpenedFile {
  return openFile(typeof text === 'string' ? Buffer.from(text) : text, true, { texts: new Set(), ...wishes });
}

const T = '2025-03-04T05:06:00Z';
const U = '2025-03-04T05:07:00Z';

const TAKEN: readonly (readonly [what: string, text: string, wanted: readonly string[]])[] = [
  ['seconds since 1970', 'time,P\n1741064760,4\n1741064820.5,5\n', [`P ${T} 4 -`, 'P 2025-03-04T05:07:00.500Z 5 -']],
  ['microseconds', 'ts,P\n1741064760000001,4\n', ['P 2025-03-04T05:06:00.0000010Z 4 -']],
  ['nanoseconds', 'when,P\n1741064760000000100,4\n', ['P 2025-03-04T05:06:00.0000001Z 4 -']],
  ['the word UTC', 'time,P\n2025-03-04 05:06:00 UTC,4\n', [`P ${T} 4 -`]],
  ['times in any column', `P,Q,measured at\n4,5,${T}\n`, [`P ${T} 4 -`, `Q ${T} 5 -`]],
  ['pipes', `time|P|Q\n${T}|4|x\n`, [`P ${T} 4 -`, `Q ${T} "x" -`]],
  ['a line that names the separator', `sep=;\r\ntime;P\r\n${T};4,5\r\n`, [`P ${T} 4.5 -`]],
  ['lines before the header', `Report,Mill\nFrom,2025-03-01\n\ntime,P\n${T},4\n`, [`P ${T} 4 -`]],
  ['a line of units', `time,P,Q\n,bar,m\n${T},4,5\n`, [`P ${T} 4 -`, `Q ${T} 5 -`]],
  ['a separator at the end of each line', `time,P,\n${T},4,\n,,\n`, [`P ${T} 4 -`]],
  ['no header', `P,${T},4\nP,${U},5\n`, [`P ${T} 4 -`, `P ${U} 5 -`]],
  ['thousands signs', `time,P\n${T},"12,345.5"\n${U},"12 345.5"\n`, [`P ${T} 12345.5 -`, `P ${U} 12345.5 -`]],
  ['a unit behind each value', `time,P\n${T},4 bar\n${U},5 bar\n`, [`P ${T} 4 -`, `P ${U} 5 -`]],
  ['words for no value', `time,P,Q\n${T},#N/A,4\n${U},5,NaN\n`, [`Q ${T} 4 -`, `P ${U} 5 -`]],
  ['words for a bad value', `time,P\n${T},4\n${U},No Data\n`, [`P ${T} 4 -`, `P ${U} null 0`]],
  ['such words among texts', `time,P\n${T},idle\n${U},unknown\n`, [`P ${T} "idle" -`, `P ${U} "unknown" -`]],
  ['a quality beside each tag', `time,P,P quality,Q,Q.Quality\n${T},4,0xC0,5,Bad\n`, [`P ${T} 4 192`, `Q ${T} 5 0`]],
  [
    'columns of values and qualities',
    `time,P Value,P Quality\n${T},4,Good\n${U},,Bad\n`,
    [`P ${T} 4 192`, `P ${U} null 0`],
  ],
  [
    'states of entities',
    `entity_id,state,last_changed\na.b,4,${T}\na.b,unavailable,${U}\n`,
    [`a.b ${T} 4 -`, `a.b ${U} null 0`],
  ],
  [
    'results of a Flux query',
    `#group,false,false,true,false,false,true,true\n#default,_result,,,,,,\n,result,table,_start,_time,_value,_field,_measurement,site\n,,0,${T},${U},4,p,mill,n\n`,
    [`mill.n.p ${U} 4 -`],
  ],
  [
    'a column for each type of value',
    'tagid,intvalue,floatvalue,stringvalue,dataintegrity,t_stamp\n1,NULL,4.5,NULL,192,1741064760000\n2,NULL,NULL,on,192,1741064760000\n1,,,,24,1741064820000\n',
    [`1 ${T} 4.5 192`, `2 ${T} "on" 192`, `1 ${U} null 24`],
  ],
  [
    'what the command line of InfluxDB prints',
    `name,tags,time,mean\ncpu,host=a,${T},4\ncpu,host=b,${T},5\n`,
    [`cpu.host=a.mean ${T} 4 -`, `cpu.host=b.mean ${T} 5 -`],
  ],
  [
    'such rows of the same time, told apart by a column of texts',
    `name,time,host,used,state\nm,${T},a,4,1\nm,${T},b,5,2\n`,
    [`m.a.used ${T} 4 -`, `m.a.state ${T} 1 -`, `m.b.used ${T} 5 -`, `m.b.state ${T} 2 -`],
  ],
  [
    'a file for influx write',
    `#datatype measurement,tag,double,ignored,dateTime:RFC3339\nm,host,used,note,time\ncpu,a,4,x,${T}\n`,
    [`cpu.a.used ${T} 4 -`],
  ],
  [
    'a column of streams beside others',
    `Timestamp,P,Q,StreamId\n${T},4,5,s1\n${U},6,,s2\n`,
    [`s1.P ${T} 4 -`, `s1.Q ${T} 5 -`, `s2.P ${U} 6 -`],
  ],
  ['names of months first', 'time,P\n"Mar 4, 2025 5:06:00 AM UTC",4\n', [`P ${T} 4 -`]],
  ['the year last', 't_stamp,P\nTue Mar 04 05:06:00 UTC 2025,4\n', [`P ${T} 4 -`]],
  ['a zone in the name of the times', 'Date/time UTC,P\n2025-03-04 05:06,4\n', [`P ${T} 4 -`]],
  ['a separator at the end of each row only', `time;P\n${T};4,5;\n${U};5,5;\n`, [`P ${T} 4.5 -`, `P ${U} 5.5 -`]],
  [
    'qualities that are in no table',
    `tag_name,time,value,quality\nP,${T},4,-32768\nP,${U},5,192\n`,
    [`P ${T} 4 0`, `P ${U} 5 192`],
  ],
];

test('files of other systems are taken as they are', () => {
  for (const [what, text, wanted] of TAKEN) assert.deepEqual(pointsOf(text), wanted, what);
});

const LOCAL: readonly (readonly [what: string, text: string, wanted: readonly string[]])[] = [
  ['day first, decimal commas', 'Zeit;P\n04.03.2025 06:06:00;4,25\n', [`P ${T} 4.25 -`]],
  ['names of months', 'Timestamp,P\n04-Mar-25 06:06:00,4\n', [`P ${T} 4 -`]],
  ['months first, twelve hours', 'time,P\n03/24/2025 6:06:00 PM,4\n', ['P 2025-03-24T17:06:00Z 4 -']],
  ['date and time of day in two columns', 'Date,Time,P\n2025-03-04,06:06:00,4\n', [`P ${T} 4 -`]],
  ['days since 1900', 'time,P\n45720.25416666667,4\n', [`P ${T} 4 -`]],
  [
    'an export with types',
    '"#NAMES"\n"t_stamp","P"\n"#TYPES"\n"date","D"\n"#ROWS","1"\n"2025-03-04 06:06:00","4"\n',
    [`P ${T} 4 -`],
  ],
  [
    'a log of WinCC, with 1 for valid',
    '"VarName";"TimeString";"VarValue";"Validity";"Time_ms"\n"P";"04.03.2025 06:06:00";66,50;1;45720254166,67\n"P";"04.03.2025 06:07:00";60,50;0;45720254861,11\n"$RT_OFF$";"04.03.2025 06:08:00";0;2;45720255555,56\n',
    [`P ${T} 66.50 192`, `P ${U} 60.50 0`],
  ],
  [
    'a session of piconfig',
    '* (Ls - PIARC) Piconfig> @mode list\nP,04-Mar-25 06:06:00.00000,4\nP,04-Mar-25 06:07:00.00000,Pt Created\n',
    [`P ${T} 4 -`, `P ${U} null 0`],
  ],
  [
    'the hour that clocks show twice',
    'time,P\n2025-10-26 02:30,1\n2025-10-26 02:45,2\n2025-10-26 02:30,3\n2025-10-26 03:00,4\n',
    [
      'P 2025-10-26T00:30:00Z 1 -',
      'P 2025-10-26T00:45:00Z 2 -',
      'P 2025-10-26T01:30:00Z 3 -',
      'P 2025-10-26T02:00:00Z 4 -',
    ],
  ],
  [
    'the hour that clocks show twice, newest first',
    'time,P\n2025-10-26 03:00,5\n2025-10-26 02:30,4\n2025-10-26 02:00,3\n2025-10-26 02:30,2\n2025-10-26 02:00,1\n2025-10-26 01:30,0\n',
    [
      'P 2025-10-26T02:00:00Z 5 -',
      'P 2025-10-26T01:30:00Z 4 -',
      'P 2025-10-26T01:00:00Z 3 -',
      'P 2025-10-26T00:30:00Z 2 -',
      'P 2025-10-26T00:00:00Z 1 -',
      'P 2025-10-25T23:30:00Z 0 -',
    ],
  ],
];

test('local times need a zone, and are stored with it', () => {
  for (const [what, text, wanted] of LOCAL) {
    assert.throws(
      () => open(text),
      (error) => error instanceof UnclearForm && error.flag.startsWith('--tz'),
      what,
    );
    assert.deepEqual(pointsOf(text, { zone: 'Europe/Berlin' }), wanted, what);
  }
  const [, skipped] = pointsOf('time,P\n2025-03-30 01:00,1\n2025-03-30 02:30,2\n', { zone: 'Europe/Berlin' });
  assert.match(skipped ?? '', /^line 3: clocks in Europe\/Berlin never show 2025-03-30 02:30/);
});

const UNCLEAR: readonly (readonly [flag: string, text: string, given: Wishes, wanted: readonly string[]])[] = [
  [
    '--tz',
    'meter;day;00:15;00:30;00:45;24:00\nM1;04/03/2025;1,5;2,5;;4\nM1;29/03/2025;1;2;3;4\n',
    { zone: 'UTC' },
    [
      'M1 2025-03-04T00:15:00Z 1.5 -',
      'M1 2025-03-04T00:30:00Z 2.5 -',
      'M1 2025-03-05T00:00:00Z 4 -',
      'M1 2025-03-29T00:15:00Z 1 -',
      'M1 2025-03-29T00:30:00Z 2 -',
      'M1 2025-03-29T00:45:00Z 3 -',
      'M1 2025-03-30T00:00:00Z 4 -',
    ],
  ],
  [
    '--tag <name>',
    'Giorno,02:00-02:15,02:15-02:30,03:00-03:15,03:15-03:30\n2025-03-30,,,1,2\n2025-10-26,3,4,5,6\n',
    { zone: 'Europe/Rome', tag: 'Load' },
    [
      'Load 2025-03-30T01:00:00Z 1 -',
      'Load 2025-03-30T01:15:00Z 2 -',
      'Load 2025-10-26T00:00:00Z 3 -',
      'Load 2025-10-26T00:15:00Z 4 -',
      'Load 2025-10-26T02:00:00Z 5 -',
      'Load 2025-10-26T02:15:00Z 6 -',
    ],
  ],
  ['--format', 'time,P\n03/04/2025 05:06 Z,4\n', { form: 'mdy' }, ['P 2025-03-04T05:06:00Z 4 -']],
  ['--format', 'time,P\n03/04/2025 05:06 Z,4\n', { form: 'dmy' }, ['P 2025-04-03T05:06:00Z 4 -']],
  ['--decimal', `time;P\n${T};1,234\n`, { decimal: ',' }, [`P ${T} 1.234 -`]],
  ['--decimal', `time;P\n${T};1,234\n`, { decimal: '.' }, [`P ${T} 1234 -`]],
  ["--columns 'time,P,P 2'", `time,P,P\n${T},4,5\n`, { columns: ['time', 'P', 'R'] }, [`P ${T} 4 -`, `R ${T} 5 -`]],
  ['--columns', `${T},4\n`, { columns: ['time', 'P'], isHeaderless: true }, [`P ${T} 4 -`]],
  [
    '--columns time,time,P',
    'time,P\n2025-03-04T05:06:00,250Z,4\n',
    { columns: ['time', 'time', 'P'] },
    ['P 2025-03-04T05:06:00.250Z 4 -'],
  ],
  ['--time', `begin,end,P\n${T},${U},4\n`, { time: ['end'], columns: ['-', 'time', 'P'] }, [`P ${U} 4 -`]],
];

test('what a file does not tell is asked for by one flag', () => {
  for (const [flag, text, given, wanted] of UNCLEAR) {
    const message = `${flag} of ${JSON.stringify(text)}`;
    assert.throws(
      () => open(text),
      (error) => error instanceof UnclearForm && error.message.includes(flag),
      message,
    );
    if (wanted.length > 0) assert.deepEqual(pointsOf(text, given), wanted, message);
  }
});

test('a column of tags may be named for columns of the last parts of their names', () => {
  const columns = ['tag', 'time', 'used', '-'];
  assert.deepEqual(pointsOf(`a,${T},4,x\n`, { columns, isHeaderless: true }), [`a.used ${T} 4 -`]);
  const wide = `time,tag1,tag2\n${T},4,5\n`;
  assert.deepEqual(pointsOf(wide), [`tag1 ${T} 4 -`, `tag2 ${T} 5 -`], 'tags of such names are no parts');
});

test('an empty file is refused, by the preview too', () => {
  for (const text of ['', '\n \r\n']) assert.throws(() => open(text), /the file is empty; want the header/);
});

test('the encoding is told by the bytes', () => {
  const text = `time;Kälte\n${T};4,5\n`;
  const latin = Buffer.from(text, 'latin1');
  const wide = Buffer.from(`\uFEFF${text}`, 'utf16le');
  for (const [encoding, bytes] of [
    ['utf-8', Buffer.from(`\uFEFF${text}`)],
    ['windows-1252', latin],
    ['utf-16le', wide],
    ['utf-16be', Buffer.from(wide).swap16()],
  ] as const) {
    assert.equal(open(bytes).encoding, encoding);
    assert.deepEqual(pointsOf(bytes), [`Kälte ${T} 4.5 -`], encoding);
  }
});

test("the project's own form is read by its own rules", () => {
  for (const text of [
    `tag,time,value,quality\nP,${T},"",\nQ,${T},4,64\n`,
    `time,P,Q\n${T},4," x "\n`,
    'tag,time,value\nP,2025-03-04,4\nP,soon,5\n',
  ])
    assert.equal(open(text).form, undefined, text);
});

test('the preview shows the first points, what is doubtful, and the same as flags', () => {
  const text = `a report\ntime;P;P quality\n;bar;\n04.03.2025 06:06;4,5;Good\n`;
  const wishes: ImportWishes = { texts: new Set(), zone: 'Europe/Berlin' };
  const opened = openFile(Buffer.from(text), true, wishes);
  const { lines } = previewOf('p.csv', opened, wishes);
  assert.ok(lines.includes(`  P  2025-03-04T05:06:00.000Z  4.5  192`), lines.join('\n'));
  assert.ok(lines.includes('Line 3 is taken for units, and left out.'));
  assert.equal(
    lines.at(-1),
    '  varve import p.csv --encoding utf-8 --separator semicolon --format dmy --columns time,P,quality --decimal , --tz Europe/Berlin',
  );
  const said: ImportWishes = {
    ...wishes,
    separator: ';',
    form: 'dmy',
    columns: ['time', 'P', 'quality'],
    decimal: ',',
  };
  assert.deepEqual(flagsOf(openFile(Buffer.from(text), true, said), said), flagsOf(opened, wishes));
});
