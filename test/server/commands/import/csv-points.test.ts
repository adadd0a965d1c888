import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvPoints } from '../../../../server/commands/import/points/csv-points.ts';
import { CsvFault, readRecords } from '../../../../server/commands/import/recognise/csv-records.ts';

async function* slicesOf(text: string | Uint8Array, sliceBytes: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

interface Reading {
  readonly points: string[];
  /** `line: message`. */
  readonly faults: string[];
}

/** Points as `line tag time value quality`. */
async function readAll(text: string | Uint8Array, sliceBytes = 7, texts: readonly string[] = []): Promise<Reading> {
  const reader = new CsvPoints(new Set(texts));
  const reading: Reading = { points: [], faults: [] };
  const note = (fault: unknown): void => {
    assert.ok(fault instanceof CsvFault, String(fault));
    reading.faults.push(`${fault.line}: ${fault.message}`);
  };
  try {
    for await (const records of readRecords(slicesOf(text, sliceBytes))) {
      for (const record of records) {
        try {
          for (const { line, tag, time, value, quality } of reader.read(record))
            reading.points.push([line, tag, time, value, quality ?? '-'].join(' '));
        } catch (fault) {
          note(fault);
        }
      }
    }
  } catch (fault) {
    note(fault);
  }
  return reading;
}

const T = '2024-03-01T08:00:00Z';
const MS = '2024-03-01T08:00:00.000Z';
const long = (...rows: string[]): string => `tag,time,value\n${rows.join('\n')}\n`;

test('rows of tag, time, value and quality are points, with the digits of the file', async () => {
  const text = [
    'tag,time,value,quality',
    `A,${T},1.50,192`,
    `A,2024-03-01 08:00:00.1234567,+2,`,
    `A,1709280060000,007.5,64`,
    `B,2024-03-01T09:00:00+01:00,TRUE,`,
    `C,${T},12345678901234567890,`,
    `D,${T},,24`,
    `E,${T},.5,`,
  ].join('\r\n');
  const wanted = [
    `2 A ${MS} 1.50 192`,
    '3 A 2024-03-01T08:00:00.1234567Z 2 -',
    '4 A 2024-03-01T08:01:00.000Z 7.5 64',
    `5 B ${MS} true -`,
    `6 C ${MS} 12345678901234567890 -`,
    `7 D ${MS} null 24`,
    `8 E ${MS} 0.5 -`,
  ];
  for (let sliceBytes = 1; sliceBytes < 40; sliceBytes++) {
    assert.deepEqual(await readAll(text, sliceBytes), { points: wanted, faults: [] }, `slices of ${sliceBytes} bytes`);
  }
});

test('a column for each tag works with every separator, and an empty field is no point', async () => {
  for (const separator of [',', ';', '\t']) {
    const text = `\uFEFFTime,Mill/Temp,On\n${T},1.5,true\n\n2024-03-01T08:01:00Z,,false\n`.replaceAll(',', separator);
    assert.deepEqual(await readAll(text), {
      points: [`2 Mill/Temp ${MS} 1.5 -`, `2 On ${MS} true -`, '4 On 2024-03-01T08:01:00.000Z false -'],
      faults: [],
    });
  }
});

test('quoted fields hold separators, quotes and line breaks, and the lines behind are counted on', async () => {
  const text = `tag;time;value\n"A;1";${T};"say ""é""\nagain"\nB;${T};x\nC;;y\n`;
  for (const sliceBytes of [1, 2, 3, 1000]) {
    const { points, faults } = await readAll(text, sliceBytes);
    assert.deepEqual(points, [`2 A;1 ${MS} "say \\"é\\"\\nagain" -`, `4 B ${MS} "x" -`]);
    assert.match(faults.join(), /^5: got no time; want ISO 8601/);
  }
});

test('what the Explorer exports is read as it is', async () => {
  const text = `Dataset,Tag,Time,Value,State,Unit,Quality\r\nDemo,TK002.Level,${T},61.5,,%,192\r\n`;
  assert.deepEqual(await readAll(text), { points: [`2 TK002.Level ${MS} 61.5 192`], faults: [] });
});

test('texts that look like numbers are texts where that is said', async () => {
  const text = long(`Batch,${T},0012`, `Batch,2024-03-01T08:01:00Z,A7`);
  const { points } = await readAll(text, 9, ['Batch']);
  assert.deepEqual(points, [`2 Batch ${MS} "0012" -`, '3 Batch 2024-03-01T08:01:00.000Z "A7" -']);
});

test('qualities are those of the table, and what is not in it is bad, and told', async () => {
  const fields = ['192', '', 'Good', 'Bad_Stale', '0x00C0', '-2147483136', '500', 'Fine', '1000'];
  const points = new CsvPoints(new Set());
  points.read({ line: 1, text: 'tag,time,value,quality' });
  const qualities = fields.map((field, i) => points.read({ line: i + 2, text: `A,${T},1,${field}` })[0]?.quality);
  assert.deepEqual(qualities, ['192', undefined, '192', '24', '192', '0', '24', '0', '0']);
  assert.deepEqual(points.values.unknownQualities, { count: 2, first: '"Fine" in line 9' });
});

test('white space is part of texts and names, but for files with blanks around all fields', async () => {
  const text = long(`  A,${T},  lead`, `  A, ${T} ,trail  `, `  A,${T}," "`, `N,${T}, 1.5 `, `N,${T},  `, `  A,${T}, `);
  const read = await readAll(text);
  assert.deepEqual(read.faults, []);
  assert.deepEqual(read.points, [
    `2   A ${MS} "  lead" -`,
    `3   A ${MS} "trail  " -`,
    `4   A ${MS} " " -`,
    `5 N ${MS} 1.5 -`,
    `6 N ${MS} null -`,
    `7   A ${MS} " " -`,
  ]);
  const spaced = await readAll(`tag, time , value\n A , ${T} , x \nB, ${T}, " y "\n`);
  assert.deepEqual(spaced, { points: [`2 A ${MS} "x" -`, `3 B ${MS} " y " -`], faults: [] });
  const wide = await readAll(`time, A,B\n${T},1,2\n`);
  assert.deepEqual(wide, { points: [`2  A ${MS} 1 -`, `2 B ${MS} 2 -`], faults: [] });
});

test('empty quotes are a text where quotes are chosen, and nothing where everything has them', async () => {
  const chosen = await readAll(long(`A,${T},""`, `A,${T},`, `B,${T},1`, `B,${T},""`));
  assert.deepEqual(chosen, {
    points: [`2 A ${MS} "" -`, `3 A ${MS} null -`, `4 B ${MS} 1 -`, `5 B ${MS} null -`],
    faults: [],
  });
  const all = await readAll(long(`"A","${T}",""`, `"A","${T}","1"`, `"B","${T}","x"`, `"B","${T}",""`));
  assert.deepEqual(all, {
    points: [`2 A ${MS} null -`, `3 A ${MS} 1 -`, `4 B ${MS} "x" -`, `5 B ${MS} "" -`],
    faults: [],
  });
  const wide = await readAll(`time,A,B\n${T},"",\n`);
  assert.deepEqual(wide, { points: [`2 A ${MS} "" -`], faults: [] });
});

test('a fault says the line, what is there, and what would be right', async () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    [long(`A,${T}`), /^2: got 2 fields; want 3, as in the header; is there a decimal comma\? want a point$/],
    [`tag;time;value\nA;${T};1,5`, /^2: got 1,5; want a decimal point, or --decimal ,$/],
    [long(`A,01.03.2024 08:00,1`), /^2: got the time 01\.03\.2024 08:00; want ISO 8601 such as/],
    [long(`A,2024-02-30T00:00:00Z,1`), /^2: got the time 2024-02-30T00:00:00Z; want ISO 8601/],
    [long(`A,1709280060,1`), /milliseconds since 1970 \(1709280060000 where these are seconds\)$/],
    [long(`,${T},1`), /^2: the tag is empty; want its name$/],
    [
      long(`A,${T},1`, `A,${T},x`),
      /^3: got "x" for A; want a number, as in line 2, or --text "A" where all are texts$/,
    ],
    [long(`A,${T},1`, 'A,2024-03-01T07:59:59Z,1'), /^3: .* is earlier than that of A in line 2 .* oldest first$/],
    [long(`A,${T},1e999`), /^2: got 1e999; want a number of at most 1\.8e308$/],
    [`when,what\n${T},1`, /^1: got the header "when what"; want tag,time,value\[,quality\], or time,<tag>/],
    [`time,A,A\n${T},1,2`, /^1: the header has "A" twice; want it once$/],
    [`time,A,\n${T},1,2`, /^1: column 3 of the header is empty/],
    [`tag,time,value,colour\nA,${T},1,red`, /^1: the header has the column "colour"; want tag,time/],
    [long(`A,${T},"x`), /^2: the quote that opens here is not closed$/],
    [long(`A,${T},"x"y`), /^2: got "x"y; want a quoted field/],
  ];
  for (const [text, wanted] of rows) {
    const { faults } = await readAll(text);
    assert.match(faults[0] ?? 'no fault', wanted, text);
  }
  const latin = Buffer.concat([Buffer.from(long(`A,${T},`)), Buffer.from([0xe4, 0x0a])]);
  assert.match((await readAll(latin)).faults.join(), /the bytes are no UTF-8; save the file with that encoding/);
});

test('a line without an end is a fault, not all of the memory', async () => {
  const endless = Buffer.alloc(5 * 1024 * 1024, 'x');
  const { faults } = await readAll(endless, 65_536);
  assert.match(faults.join(), /^1: the line does not end within 4194304 characters; want a CSV file$/);
});
