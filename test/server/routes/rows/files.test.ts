// format=csv and format=jsonl: files for spreadsheets and programs, of every type of value, and what is asked wrongly.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startAccessServer } from '../../auth/support/access-server.ts';

const DATASET = 'Werk Süd (1)';
const PATH = `/api/datasets/${encodeURIComponent(DATASET)}/data`;
const TIMES = ['2026-01-01T00:00:00.0000001Z', '2026-01-01T00:00:01.000Z'] as const;
const RANGE = 'start=2026-01-01T00:00:00Z&end=2026-01-02T00:00:00Z';

/** A tag of each type: how its values are written, and how they look in German CSV. */
const TYPES = [
  ['Boolean', true, 'true'],
  ['Int32', -7, '-7'],
  ['Int64', '9007199254740993', '9007199254740993'],
  ['UInt64', '18446744073709551615', '18446744073709551615'],
  ['Single', 0.5, '0,5'],
  ['Double', -1.25, '-1,25'],
  ['Decimal', '12.3400', '12,3400'],
  ['DateTime', '2026-02-03T04:05:06.789Z', '2026-02-03T04:05:06.789Z'],
  ['String', ' Düse; "A"\n', '" Düse; ""A""\n"'],
] as const;

async function start(context: Parameters<typeof startAccessServer>[0]) {
  const { http } = await startAccessServer(context, 'node');
  const headers = { 'content-type': 'application/json' };
  async function write(data: object, types: readonly (readonly [string, string])[]): Promise<void> {
    const tags = types.map(([n, type]) => ({ n, t: `System.${type}` }));
    const created = await http.post(PATH.replace(/data$/, 'tags'), tags, headers);
    assert.ok(created.status < 300, created.text);
    const written = await http.post(PATH, data, headers);
    assert.equal(written.status, 200, written.text);
  }
  return { http, write };
}

describe('files of rows', () => {
  it('have every type, null, a bad quality and units of 100 ns', async (context) => {
    const { http, write } = await start(context);
    const data = TYPES.map(([type, v]) => [
      type,
      [
        { t: TIMES[0], v },
        { t: TIMES[1], v: null, q: 24 },
      ],
    ]);
    await write(
      Object.fromEntries(data),
      TYPES.map(([type]) => [type, type]),
    );
    const query = `${TYPES.map(([type]) => `tagname=${type}`).join('&')}&${RANGE}`;

    const csv = await http.get(`${PATH}?${query}&format=csv&separator=%3B&decimal=,`);
    assert.equal(csv.status, 200, csv.text);
    assert.equal(csv.header('content-type'), 'text/csv; charset=utf-8');
    assert.equal(
      csv.header('content-disposition'),
      `attachment; filename="Werk S_d _1_.csv"; filename*=UTF-8''Werk%20S%C3%BCd%20%281%29.csv`,
    );
    const lines = TYPES.flatMap(([type, , text]) => [`${TIMES[0]};${type};${text};192`, `${TIMES[1]};${type};;24`]);
    assert.equal(csv.text, `${['time;tag;value;quality', ...lines].join('\r\n')}\r\n`);

    const plain = await http.get(`${PATH}?${query}&format=rows&exact=string`);
    const jsonl = await http.get(`${PATH}?${query}&format=jsonl&exact=string`);
    assert.equal(jsonl.header('content-type'), 'application/x-ndjson');
    assert.match(jsonl.header('content-disposition') ?? '', /\.jsonl$/);
    const parsed = jsonl.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    assert.deepEqual(parsed, plain.json());
  });

  it('are wide with as=csv and as=jsonl, also asked for by a body', async (context) => {
    const { http, write } = await start(context);
    await write({ A: [{ t: TIMES[1], v: 1.5 }], B: [{ t: TIMES[1], v: 2.5 }] }, []);
    const body = { tagname: ['A', 'B'], start: TIMES[0], end: '2026-01-02T00:00:00Z', format: 'wide' };
    const path = PATH.replace(/data$/, 'read');
    const csv = await http.post(path, { ...body, as: 'csv', separator: 'tab', decimal: ',' });
    assert.equal(csv.text, `time\tA\tB\r\n${TIMES[1]}\t1,5\t2,5\r\n`);
    const jsonl = await http.post(path, { ...body, as: 'jsonl' });
    assert.equal(jsonl.text, `{"time":"${TIMES[1]}","A":1.5,"B":2.5}\n`);
  });

  it('have no formulas when they are escaped: in texts, names of tags and headings, not in numbers', async (context) => {
    const { http, write } = await start(context);
    await write({ '=1+1': [{ t: TIMES[1], v: '@SUM(A1)' }], N: [{ t: TIMES[1], v: -5 }] }, []);
    const query = `tagname=${encodeURIComponent('=1+1')}&tagname=N&${RANGE}`;
    const long = await http.get(`${PATH}?${query}&format=csv&escapeFormulas=true`);
    assert.equal(long.text, `time,tag,value,quality\r\n${TIMES[1]},'=1+1,'@SUM(A1),192\r\n${TIMES[1]},N,-5,192\r\n`);
    const wide = await http.get(`${PATH}?${query}&format=wide&as=csv&escapeFormulas=true`);
    assert.equal(wide.text, `time,'=1+1,N\r\n${TIMES[1]},'@SUM(A1),-5\r\n`);
    const asIs = await http.get(`${PATH}?${query}&format=csv`);
    assert.match(asIs.text, /,=1\+1,@SUM\(A1\),/);
  });

  it('have times by the clocks of a zone: with their offset, or as these show them', async (context) => {
    const { http, write } = await start(context);
    const winter = '2026-01-01T00:00:00.2500001Z';
    await write(
      {
        A: [
          { t: winter, v: 1.5 },
          { t: '2026-07-01T00:00:00Z', v: 2.5 },
        ],
        B: [{ t: winter, v: 3 }],
      },
      [],
    );
    const query = 'tagname=A&start=2026-01-01&end=2026-12-31&tz=Europe/Berlin';
    const rows = async (more: string): Promise<string[]> => {
      const answer = await http.get(`${PATH}?${query}&${more}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.text.split(/\r?\n/);
    };
    const summer = '2026-07-01T02:00:00.000+02:00';
    assert.deepEqual(await rows('format=csv'), [
      'time,tag,value,quality',
      '2026-01-01T01:00:00.2500001+01:00,A,1.5,192',
      `${summer},A,2.5,192`,
      '',
    ]);
    assert.deepEqual(await rows('format=csv&timeFormat=local&separator=%3B&decimal=,'), [
      'time (Europe/Berlin);tag;value;quality',
      '2026-01-01 01:00:00,2500001;A;1,5;192',
      '2026-07-01 02:00:00;A;2,5;192',
      '',
    ]);
    assert.equal((await rows('format=csv&timeFormat=utc'))[2], '2026-07-01T00:00:00.000Z,A,2.5,192');
    assert.equal((await rows('format=jsonl'))[1], `{"time":"${summer}","tag":"A","value":2.5,"quality":192}`);
    assert.equal((await rows('tagname=B&format=wide&as=jsonl'))[1], `{"time":"${summer}","A":2.5,"B":null}`);
    const wide = await rows('tagname=B&format=wide&as=csv&timeFormat=local');
    assert.deepEqual(wide.slice(0, 2), ['time (Europe/Berlin),A,B', '2026-01-01 01:00:00.2500001,1.5,3']);
    // Other answers are in UTC as before: their readers have asked for a calendar only.
    assert.match((await rows('format=rows'))[0] ?? '', /"time":"2026-07-01T00:00:00.000Z"/);
  });

  it('have tags by patterns: those named first, then the others by their names', async (context) => {
    const { http, write } = await start(context);
    const tags = ['Pump 2.Flow', 'Pump 1.Flow', 'pump', 'Tank.*', 'Fan.Flow'];
    await write(Object.fromEntries(tags.map((tag) => [tag, [{ t: TIMES[1], v: 1 }]])), []);
    const tagsOf = async (query: string): Promise<string[]> => {
      const answer = await http.get(`${PATH}?${query}&${RANGE}&format=csv`);
      assert.equal(answer.status, 200, answer.text);
      return answer.text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[1] as string);
    };
    assert.deepEqual(await tagsOf('tags=*'), ['Fan.Flow', 'Pump 1.Flow', 'Pump 2.Flow', 'Tank.*', 'pump']);
    assert.deepEqual(await tagsOf('tags=Pump*'), ['Pump 1.Flow', 'Pump 2.Flow']);
    assert.deepEqual(await tagsOf('tags=*2*&tagname=pump&tags=*.Flow'), [
      'pump',
      'Fan.Flow',
      'Pump 1.Flow',
      'Pump 2.Flow',
    ]);
    assert.deepEqual(await tagsOf('tags=Tank.*&tagname=Tank.*'), ['Tank.*']);
    assert.deepEqual(await tagsOf('tags=None*&missing=skip'), []);
    const none = await http.get(`${PATH}?tags=None*&format=csv`);
    assert.deepEqual([none.status, none.json<{ key: string }>().key], [404, 'Error.TagNotFound']);
    assert.match(none.text, /has a name as 'None\*'/);
    assert.equal((await http.get(`${PATH}?tags=*&tagname=Absent`)).status, 404);
    const body = { tags: ['*.Flow'], start: TIMES[0], end: '2026-01-02T00:00:00Z' };
    const answer = await http.post(PATH.replace(/data$/, 'read'), body);
    const names = answer.json<{ tl: { t: { n: string } }[] }>().tl.map(({ t }) => t.n);
    assert.deepEqual(names, ['Fan.Flow', 'Pump 1.Flow', 'Pump 2.Flow']);
  });

  it('call calculated series as they were named', async (context) => {
    const { http, write } = await start(context);
    await write({ A: [{ t: TIMES[1], v: 2 }] }, []);
    const query = `expr=A*2&expr=A*3&${RANGE}`;
    const long = await http.get(`${PATH}?${query}&exprName=Twice&exprName=Thrice&format=csv`);
    assert.equal(long.text, `time,tag,value,quality\r\n${TIMES[1]},Twice,4,192\r\n${TIMES[1]},Thrice,6,192\r\n`);
    const wide = await http.get(`${PATH}?${query}&exprName=Twice&exprName=Thrice&format=wide&as=csv`);
    assert.match(wide.text, /^time,Twice,Thrice\r\n/);
    const fewer = await http.get(`${PATH}?${query}&exprName=Twice`);
    assert.match(fewer.text, /Got 1 of 'exprName' and 2 of 'expr'/);
  });

  it('are refused with what does not fit', async (context) => {
    const { http, write } = await start(context);
    await write({ A: [{ t: TIMES[1], v: 1 }] }, []);
    for (const [query, message] of [
      ['format=csv&as=json', /'as' does not go with 'format=csv'/],
      ['format=csv&decimal=,', /'decimal=,' needs a separator/],
      ['format=csv&separator=x', /'separator' is 'x'; want one of , ; \| and tab/],
      ['format=csv&decimal=x', /'decimal' is 'x'/],
      ['format=csv&escapeFormulas=yes', /'escapeFormulas' is 'yes'/],
      ['format=jsonl&separator=tab', /'separator' needs format=csv/],
      ['separator=tab', /'separator' needs format=csv/],
      ['format=csv&after=x', /'after'/],
      ['format=csv&tz=Europe/Berlyn', /'tz' is 'Europe\/Berlyn'; want the IANA name/],
      ['format=jsonl&timeFormat=local', /'timeFormat=local' is for CSV/],
      ['timeFormat=utc', /'timeFormat' needs format=csv/],
      ['format=parquet&after=NjQuMQ', /'after' does not go with 'format=parquet'/],
      ['format=parquet&as=csv', /'as' needs format=rows or format=wide/],
    ] as const) {
      const answer = await http.get(`${PATH}?tagname=A&${query}`);
      assert.equal(answer.status, 400, query);
      assert.match(answer.text, message);
    }
  });
});
