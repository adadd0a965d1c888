// The feed of OData as Excel and Power BI ask for it, and the rules of a service that is for reading only.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { HttpAnswer } from '../../../support/http-client.ts';
import { type AccessServer, bearer, makeToken, startAccessServer } from '../../auth/support/access-server.ts';
import { turnsOf } from '../turns-taken.ts';
import { type Feed, mashup, odata, type Point } from './mashup.ts';

const START_MS = Date.UTC(2026, 0, 1);
const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();

const PLANT = {
  'Line/Flow': [0, 10, 20, 30].map((s) => ({ t: at(s), v: s / 4, ...(s === 20 && { q: 24 }) })),
  'Line/State': [
    { t: at(0), v: 'Düse "A"\n' },
    { t: at(30), v: null },
  ],
  "O'Neill": [{ t: '2026-01-01T00:00:05.0000001Z', v: 1 }],
};

async function start(context: TestContext, transport: 'uws' | 'node' = 'uws'): Promise<AccessServer> {
  const server = await startAccessServer(context, transport);
  for (const dataset of ['Mill', 'Other']) {
    const answer = await server.http.post(`/api/datasets/${dataset}/data`, PLANT);
    assert.equal(answer.status, 200, answer.text);
  }
  await server.http.post('/api/datasets/Mill/tags', [{ n: 'Line/Flow', d: 'of water', u: { 0: 'm3/h' } }]);
  return server;
}

function feedOf<T = Point>(answer: HttpAnswer): Feed<T> {
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.header('odata-version'), '4.0');
  return answer.json<Feed<T>>();
}

async function points(server: AccessServer, options: Readonly<Record<string, string | number>>): Promise<Feed<Point>> {
  return feedOf(await mashup(server, odata('Points', options)));
}

/** All pages, one link after the other. */
async function allPages<T>(server: AccessServer, path: string, prefer: string): Promise<{ rows: T[]; pages: number }> {
  const rows: T[] = [];
  let pages = 0;
  for (let next: string | undefined = path; next !== undefined && pages < 100; pages++) {
    const answer: HttpAnswer = await server.http.get(next, { prefer });
    const feed: Feed<T> = feedOf<T>(answer);
    rows.push(...feed.value);
    const link: string | undefined = feed['@odata.nextLink'];
    next = link?.slice(server.url.length);
  }
  return { rows, pages };
}

for (const transport of ['uws', 'node'] as const) {
  describe(`OData over ${transport}`, () => {
    it('is found by Power Query: service document, metadata in XML, then the rows of a preview', async (context) => {
      const server = await start(context, transport);
      const root = await mashup(server, '/odata/');
      assert.equal(root.header('content-type'), 'application/json;odata.metadata=minimal');
      const document = feedOf<{ name: string; kind: string; url: string }>(root);
      assert.equal(document['@odata.context'], `${server.url}/odata/$metadata`);
      assert.deepEqual(
        document.value.map(({ name, kind, url }) => [name, kind, url]),
        ['Datasets', 'Tags', 'Points', 'CurrentValues', 'Aggregates'].map((name) => [name, 'EntitySet', name]),
      );
      const metadata = await mashup(server, '/odata/$metadata');
      assert.equal(metadata.status, 200);
      assert.equal(metadata.header('content-type'), 'application/xml');
      assert.equal(metadata.header('odata-version'), '4.0');
      assert.match(metadata.text, /<edmx:Edmx Version="4.0"/);
      assert.match(metadata.text, /<Property Name="Time" Type="Edm.DateTimeOffset" Nullable="false" Precision="7"\/>/);
      assert.match(metadata.text, /<EntitySet Name="Points" EntityType="Varve.Point">/);
      const preview = await points(server, { top: 3 });
      assert.equal(preview['@odata.context'], `${server.url}/odata/$metadata#Points`);
      assert.equal(preview['@odata.nextLink'], undefined);
      assert.deepEqual(preview.value, [
        { Dataset: 'Mill', Tag: 'Line/Flow', Time: at(0), Value: 0, Text: null, Quality: 192 },
        { Dataset: 'Mill', Tag: 'Line/Flow', Time: at(10), Value: 2.5, Text: null, Quality: 192 },
        { Dataset: 'Mill', Tag: 'Line/Flow', Time: at(20), Value: 5, Text: null, Quality: 24 },
      ]);
    });
  });
}

describe('OData', () => {
  it('lists datasets and tags', async (context) => {
    const server = await start(context);
    const datasets = feedOf<{ Name: string; TagCount: number }>(await mashup(server, odata('Datasets')));
    assert.deepEqual(
      datasets.value.map(({ Name, TagCount }) => [Name, TagCount]),
      [
        ['Mill', 3],
        ['Other', 3],
      ],
    );
    const tags = feedOf(await mashup(server, odata('Tags', { filter: "Dataset eq 'Mill' and contains(Name,'Flow')" })));
    assert.deepEqual(tags.value, [
      {
        Dataset: 'Mill',
        Name: 'Line/Flow',
        Type: 'System.Double',
        Unit: 'm3/h',
        Description: 'of water',
        Format: null,
      },
    ]);
  });

  const filters: readonly (readonly [filter: string, rows: number])[] = [
    ["Dataset eq 'Mill'", 7],
    ["Dataset eq 'Mill' and Tag eq 'Line/Flow'", 4],
    ["'Line/Flow' eq Tag and ('Mill' eq Dataset)", 4],
    ["Tag eq 'O''Neill'", 2],
    ["Dataset eq 'Mill' and (Tag eq 'Line/Flow' or Tag eq 'Line/State')", 6],
    ["Dataset eq 'Mill' and Tag in ('Line/Flow','None','O''Neill')", 5],
    ["Dataset eq 'Mill' and startswith(Tag,'Line/')", 6],
    ["Dataset eq 'Mill' and not startswith(Tag,'Line/')", 1],
    ["Dataset ne 'Mill' and endswith(Tag,'Flow')", 4],
    ["Dataset eq 'Mill' and contains(tolower(Tag),'flow')", 4],
    [`Dataset eq 'Mill' and Time ge ${at(10)}`, 4],
    [`Dataset eq 'Mill' and Time gt ${at(10)} and Time lt ${at(30)}`, 1],
    [`Dataset eq 'Mill' and Time eq ${at(30)}`, 2],
    [`Dataset eq 'Mill' and Time ne ${at(30)}`, 5],
    [`Dataset eq 'Mill' and ${at(20)} lt Time`, 2],
    ["Dataset eq 'Mill' and Time ge 2026-01-01T01:00:10+01:00 and Time le 2026-01-01T01:00:20+01:00", 2],
    ["Dataset eq 'Mill' and Time gt 2026-01-01T00:00:05Z and Time lt 2026-01-01T00:00:06Z", 1],
    ["Dataset eq 'Mill' and Time gt 2026-01-01T00:00:05.0000001Z and Time lt 2026-01-01T00:00:06Z", 0],
    ["Dataset eq 'Mill' and Value gt 2 and Quality ge 192", 2],
    ["Dataset eq 'Mill' and Value eq null", 2],
    ["Dataset eq 'Mill' and (Value lt 1 or Text ne null)", 2],
    ["Dataset eq 'Mill' and Tag eq 'Line/Flow' and Tag eq 'Line/State'", 0],
    ["Dataset eq 'None'", 0],
  ];
  it('filters by names, times, values and qualities, and counts what it filters', async (context) => {
    const server = await start(context);
    for (const [filter, count] of filters) {
      const feed = await points(server, { filter, count: 'true' });
      assert.equal(feed.value.length, count, filter);
      assert.equal(feed['@odata.count'], count, filter);
      const counted = await mashup(server, odata('Points/$count', { filter }));
      assert.deepEqual(
        [counted.status, counted.text, counted.header('content-type')],
        [200, String(count), 'text/plain'],
      );
    }
    // A plus that was not encoded is a blank by now.
    const plus = await server.http.get(
      '/odata/Points?$filter=Time%20ge%202026-01-01T01:00:30+01:00&$count=true&$top=0',
    );
    assert.deepEqual([feedOf(plus)['@odata.count'], feedOf(plus).value], [4, []]);
  });

  it('selects columns, passes rows over, and says in its context what is selected', async (context) => {
    const server = await start(context);
    const filter = "Dataset eq 'Mill' and Tag eq 'Line/Flow'";
    const feed = await points(server, { filter, select: 'Value,Time', skip: 1, top: 2, orderby: 'Time' });
    assert.equal(feed['@odata.context'], `${server.url}/odata/$metadata#Points(Time,Value)`);
    assert.deepEqual(feed.value, [
      { Time: at(10), Value: 2.5 },
      { Time: at(20), Value: 5 },
    ]);
  });

  it('gives one page after the other, each row once, whatever their size, and keeps $top and $skip', async (context) => {
    const server = await start(context);
    const whole = (await points(server, {})).value;
    assert.equal(whole.length, 14);
    for (const size of [1, 2, 3, 5, 14]) {
      const { rows, pages } = await allPages<Point>(server, odata('Points'), `odata.maxpagesize=${size}`);
      assert.deepEqual(rows, whole, `pages of ${size}`);
      assert.equal(pages, Math.ceil(14 / size), `pages of ${size}`);
      const slice = await allPages<Point>(server, odata('Points', { skip: 3, top: 7 }), `maxpagesize=${size}`);
      assert.deepEqual(slice.rows, whole.slice(3, 10), `a slice in pages of ${size}`);
    }
    const value = await allPages<Point>(server, odata('Points', { filter: 'Value gt 2' }), 'maxpagesize=1');
    assert.deepEqual(
      value.rows,
      whole.filter(({ Value }) => (Value as number) > 2),
    );
    const tags = await allPages<{ Name: string }>(server, odata('Tags'), 'maxpagesize=1');
    assert.equal(tags.rows.length, 6);
    assert.equal((await allPages(server, odata('Datasets'), 'maxpagesize=1')).rows.length, 2);
  });

  it('has the newest point of each tag', async (context) => {
    const server = await start(context);
    const current = feedOf(await mashup(server, odata('CurrentValues', { filter: "Dataset eq 'Mill'" })));
    assert.deepEqual(
      current.value.map(({ Tag, Time, Value }) => [Tag, Time, Value]),
      [
        ['Line/Flow', at(30), 7.5],
        ['Line/State', at(30), null],
        ["O'Neill", '2026-01-01T00:00:05.0000001Z', 1],
      ],
    );
    const late = feedOf(
      await mashup(server, odata('CurrentValues', { filter: `Dataset eq 'Mill' and Time lt ${at(30)}` })),
    );
    assert.equal(late.value.length, 1);
  });

  it('computes functions of intervals', async (context) => {
    const server = await start(context);
    const filter = `Dataset eq 'Mill' and Tag eq 'Line/Flow' and Function in ('Minimum','Count') and Interval eq '20s' and Time ge ${at(0)} and Time lt ${at(40)}`;
    const feed = feedOf<Point & { Function: string }>(await mashup(server, odata('Aggregates', { filter })));
    assert.deepEqual(
      feed.value.map(({ Function: name, Time, Value }) => [name, Time, Value]),
      [
        ['Minimum', at(0), 0],
        ['Minimum', at(20), 7.5],
        ['Count', at(0), 2],
        ['Count', at(20), 1],
      ],
    );
    const all = odata('Aggregates', { filter: filter.replace("and Tag eq 'Line/Flow'", "and Tag ne 'Line/State'") });
    const paged = await allPages<{ Tag: string }>(server, all, 'maxpagesize=4');
    assert.deepEqual([...new Set(paged.rows.map(({ Tag }) => Tag))], ['Line/Flow', "O'Neill"]);
    const lacking = await mashup(server, odata('Aggregates'));
    assert.equal(lacking.status, 400);
    assert.match(lacking.text, /Function eq 'TimeAverage' and Interval eq '1h'/);
  });

  it('has entities by their keys', async (context) => {
    const server = await start(context);
    const dataset = await server.http.get("/odata/Datasets('Mill')");
    assert.equal(dataset.json<{ Name: string }>().Name, 'Mill');
    assert.match(dataset.text, /\/\$metadata#Datasets\/\$entity"/);
    const tag = await server.http.get("/odata/Tags(Dataset='Mill',Name='Line%2FFlow')?$select=Unit");
    assert.deepEqual(tag.json(), {
      '@odata.context': `${server.url}/odata/$metadata#Tags(Unit)/$entity`,
      Unit: 'm3/h',
    });
    const point = await server.http.get(`/odata/Points(Dataset='Mill',Tag='Line%2FFlow',Time=${at(10)})`);
    assert.equal(point.json<Point>().Value, 2.5);
    assert.equal((await server.http.get("/odata/Datasets('None')")).status, 404);
    assert.equal((await server.http.get("/odata/Tags('Line')")).status, 400);
  });

  it('speaks 4.0 to who takes it, in JSON, without metadata when asked', async (context) => {
    const server = await start(context);
    const { http } = server;
    assert.equal((await http.get('/odata/Tags', { 'odata-maxversion': '3.0' })).status, 400);
    assert.equal((await http.get('/odata/Tags', { 'odata-maxversion': '4.01' })).header('odata-version'), '4.0');
    assert.equal((await http.get('/odata/Tags', { accept: 'application/atom+xml' })).status, 406);
    assert.equal((await http.get('/odata/Tags?$format=atom')).status, 406);
    const bare = await http.get('/odata/Datasets?$select=Name', { accept: 'application/json;odata.metadata=none' });
    assert.equal(bare.header('content-type'), 'application/json;odata.metadata=none');
    assert.deepEqual(bare.json(), { value: [{ Name: 'Mill' }, { Name: 'Other' }] });
    const json = await http.get('/odata/$metadata?$format=json');
    assert.equal(json.header('content-type'), 'application/json');
    const { $EntityContainer, Varve } = json.json<{
      $EntityContainer: string;
      Varve: Record<string, { $Key?: string[] }>;
    }>();
    assert.equal($EntityContainer, 'Varve.Container');
    assert.deepEqual(Varve.Point?.$Key, ['Dataset', 'Tag', 'Time']);
    const liked = await http.get('/odata/$metadata', { accept: 'application/json' });
    assert.equal(liked.header('content-type'), 'application/json');
  });

  const faults: readonly (readonly [path: string, status: number, message: RegExp])[] = [
    ['Nothing', 404, /There is no 'Nothing' in this feed/],
    ['Points?$filter=Flow%20eq%201', 400, /no property 'Flow'.*Dataset, Tag, Time/],
    ['Points?$filter=Time%20gt%205', 400, /'gt' compares a time with a number/],
    ['Points?$filter=Tag%20eq%20Flow%20x', 400, /no property 'Flow'/],
    ['Points?$filter=Tag%20eq', 400, /The filter ends where it wants/],
    ['Points?$filter=Tag%20eq%20%22A%22', 400, /texts in single quotes/],
    ['Points?$filter=Tag', 400, /is no condition/],
    ['Points?$filter=Time%20ge%202026-13-01T00:00:00Z', 400, /want a time such as/],
    ['Points?$filter=year(Time)%20eq%202026', 501, /function 'year'; here are contains/],
    [`Points?$filter=${'('.repeat(100)}true${')'.repeat(100)}`, 400, /nested more than/],
    ['Points?$orderby=Value', 501, /Rows come by Dataset, Tag, Time/],
    ['Points?$orderby=Time%20up', 400, /'\$orderby' has 'Time up'/],
    ['Points?$select=Flow', 400, /'\$select' has 'Flow'/],
    ['Points?$top=-1', 400, /'\$top' is '-1'; want a whole number/],
    ['Points?$skiptoken=x', 400, /follow the '@odata.nextLink'/],
    ['Points?$expand=Tag', 501, /'\$expand' is not answered here/],
    ['Points?$nothing=1', 400, /no option '\$nothing'/],
  ];
  it('says what is wrong with a request in a sentence, in the form of OData', async (context) => {
    const server = await start(context);
    for (const [path, status, message] of faults) {
      const answer = await server.http.get(`/odata/${path}`);
      assert.equal(answer.status, status, `${path}: ${answer.text}`);
      const { error } = answer.json<{ error: { code: string; message: string } }>();
      assert.match(error.message, message);
      assert.ok(error.code.length > 0);
      assert.equal(answer.header('odata-version'), '4.0');
    }
    assert.equal((await server.http.post('/odata/Points', {})).status, 405);
  });

  it('shows only what the token may read, and takes the token as a password', async (context) => {
    const reader = makeToken('read', ['Mill']);
    const admin = makeToken('admin', ['*']);
    const server = await startAccessServer(context, 'uws', [reader.entry, admin.entry]);
    for (const dataset of ['Mill', 'Other'])
      await server.http.post(`/api/datasets/${dataset}/data`, PLANT, bearer(admin.token));
    const refused = await mashup(server, odata('Points'));
    assert.equal(refused.status, 401);
    assert.match(refused.header('www-authenticate') ?? '', /Basic realm/);
    assert.match(refused.json<{ error: { message: string } }>().error.message, /needs a token/);
    for (const set of ['Points', 'Tags', 'CurrentValues']) {
      const feed = feedOf(await mashup(server, odata(set), reader.token));
      assert.deepEqual([...new Set(feed.value.map(({ Dataset }) => Dataset))], ['Mill'], set);
    }
    const basic = `Basic ${Buffer.from(`excel:${reader.token}`).toString('base64')}`;
    const asked = odata('Points/$count', { filter: "Dataset eq 'Other'" });
    assert.equal((await server.http.get(asked, { authorization: basic })).text, '0');
    const begun = Buffer.from(JSON.stringify(['Other', null, null])).toString('base64url');
    const behind = await server.http.get(`/odata/Points?$skiptoken=${begun}`, { authorization: basic });
    assert.deepEqual(feedOf(behind).value, []);
  });

  it('lets others have their turns while it gives many rows', async (context) => {
    const server = await startAccessServer(context, 'uws');
    const many = Array.from({ length: 20_000 }, (_, i) => ({ t: at(i), v: i }));
    const written = await server.http.post('/api/datasets/Mill/data', {
      A: many.slice(0, 10_000),
      B: many.slice(10_000),
    });
    assert.equal(written.status, 200, written.text);
    let answer: HttpAnswer | undefined;
    const turns = await turnsOf(async () => {
      answer = await server.http.get('/odata/Points');
    });
    assert.equal(feedOf(answer as HttpAnswer).value.length, 20_000);
    assert.ok(turns >= 8, `${turns} turns`);
  });
});
