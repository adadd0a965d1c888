import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tagKey } from '../../../../../server/explorer/model/tags/tag.ts';
import { resolveRelative } from '../../../../../server/explorer/model/time/relative-time.ts';
import {
  FIRST_VIEW,
  formatView,
  parseView,
  rangeFault,
  type ViewState,
} from '../../../../../server/explorer/model/trend/view-state.ts';

test('a link reads well', () => {
  const view: ViewState = {
    dataset: 'Demo',
    tags: [
      { dataset: 'Demo', name: 'Dryer/Temp' },
      { dataset: 'Demo', name: '$System.Writes' },
    ],
    range: { from: '-2h', to: 'now' },
    layout: 'shared',
    compare: ['1d'],
    axes: new Map([
      [
        'Demo\nDryer/Temp',
        {
          min: -5.5,
          max: undefined,
          limits: [62.5, 68],
          aggregate: { fn: 'Maximum2', intervalMs: 60_000 },
        },
      ],
    ]),
    table: 'statistics',
    plot: undefined,
  };
  const link =
    'd=Demo&t=Dryer/Temp&scale=-5.5..&limits=62.5+68&of=Maximum2+1+min&t=%24System.Writes&from=-2h&to=now&layout=shared&compare=1d&table=statistics';
  assert.equal(formatView(view), link);
  assert.deepEqual(parseView(`#${link}`), view);
});

test('a link holds the whole view, whatever the names', () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((text) => text.isWellFormed());
  const tag = fc.record({ dataset: name, name }, { noNullPrototype: true });
  const time = fc.integer({ min: 0, max: 4e12 });
  const view = fc.record({
    dataset: fc.option(name, { nil: undefined }),
    tags: fc.uniqueArray(tag, { maxLength: 6, selector: (one) => JSON.stringify(one) }),
    range: fc.oneof(
      fc.constant({ from: '-8h', to: 'now' }),
      time.map((from) => ({ from, to: from + 1000 })),
    ),
    layout: fc.constantFrom('bands' as const, 'shared' as const),
    compare: fc.subarray(['previous', '8h', '3 shifts', '1w']),
    table: fc.constantFrom('values' as const, 'statistics' as const),
  });
  const low = fc.integer({ min: -2000, max: -1 }).map((half) => half / 2);
  const high = fc.double({ min: 1, max: 1e30, noNaN: true });
  const ends = fc.oneof(
    fc.record({ min: low, max: high }),
    fc.record({ min: low, max: fc.constant(undefined) }),
    fc.record({ min: fc.constant(undefined), max: high }),
  );
  const aggregates = fc.constantFrom(undefined, { fn: 'Count' as const, intervalMs: undefined });
  const setting = fc.tuple(ends, fc.uniqueArray(low, { maxLength: 4 }), aggregates);
  const settings = fc.array(setting, { minLength: 6, maxLength: 6 });
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  fc.assert(
    fc.property(view, settings, (bare, lines) => {
      const axes = new Map(
        bare.tags.map((ref, index) => {
          const [scale, limits, aggregate] = lines[index] as (typeof lines)[number];
          return [tagKey(ref), { ...scale, limits: [...limits].sort((a, b) => a - b), aggregate }] as const;
        }),
      );
      const one = { ...bare, axes, plot: undefined };
      // Without a dataset of its own the list shows that of the last tag.
      const dataset = one.dataset ?? one.tags.at(-1)?.dataset;
      assert.deepEqual(parseView(formatView({ ...one, dataset })), { ...one, dataset });
    }),
    { seed, numRuns: 300 },
  );
});

test('what a link says wrongly is as if it were not there', () => {
  assert.deepEqual(parseView('#scale=1..2&d=X&t=T&scale=5..5&limits=a,2').axes.get('X\nT')?.limits, [2]);
  assert.equal(parseView('#d=X&t=T&scale=5..5').axes.get('X\nT')?.max, undefined);
  assert.deepEqual(parseView(''), FIRST_VIEW);
  assert.deepEqual(parseView('#from=someday&to=now&layout=round&compare=often&t=Lost').range, FIRST_VIEW.range);
  assert.deepEqual(parseView('#t=Lost').tags, [], 'a tag without a dataset');
  const turned = parseView('#from=2024-01-02T00:00:00Z&to=2024-01-01T00:00:00Z');
  assert.deepEqual(turned.range, FIRST_VIEW.range);
});

test('a link brings sixteen tags at most, each once', () => {
  const many = Array.from({ length: 40 }, (_, index) => `t=T${index % 30}`).join('&');
  const { tags } = parseView(`d=X&${many}`);
  assert.equal(tags.length, 16);
  assert.equal(new Set(tags.map(({ name }) => name)).size, 16);
});

test('a link holds up to four periods to compare with', () => {
  assert.deepEqual(parseView('#compare=1d&compare=often&compare=2+shifts&compare=1d').compare, ['1d', '2 shifts']);
  assert.equal(parseView('#compare=1h&compare=2h&compare=3h&compare=4h&compare=5h').compare.length, 4);
});

test('relative bounds stay relative', () => {
  const { range } = parseView('#from=-8h&to=-1h');
  assert.deepEqual(range, { from: '-8h', to: '-1h' });
  assert.equal(resolveRelative(range.to as string, 0), -3_600_000);
  const links = {
    'from=d-1d&to=d': ['d-1d', 'd'],
    'from=*-8h&to=*': ['-8h', 'now'],
    'from=y&to=t': ['yesterday', 'd'],
  };
  for (const [link, [from, to]] of Object.entries(links)) assert.deepEqual(parseView(link).range, { from, to }, link);
  const typedByHand = parseView('#from=yesterday+6h&to=d+6h').range;
  assert.deepEqual(typedByHand, { from: 'yesterday+6h', to: 'd+6h' }, 'a plus that an address has for a space');
  assert.deepEqual(parseView(formatView({ ...FIRST_VIEW, range: typedByHand })).range, typedByHand);
  assert.equal(parseView('#from=yesterday+06:00&to=06:00').range.from, 'yesterday 06:00');
});

test('limits have a point or a comma before their decimals', () => {
  const limitsOf = (text: string): readonly number[] | undefined =>
    parseView(`#d=X&t=T&limits=${encodeURIComponent(text)}`).axes.get('X\nT')?.limits;
  assert.deepEqual(limitsOf('80,5'), [80.5]);
  assert.deepEqual(limitsOf('5 80,5; 90.25'), [5, 80.5, 90.25]);
  assert.deepEqual(limitsOf('5, 80, 90'), [5, 80, 90]);
  assert.deepEqual(limitsOf('5,80,90'), [5, 80, 90]);
});

test('a link whose times are none is told of', () => {
  assert.equal(rangeFault('#d=X&t=T'), undefined);
  assert.equal(rangeFault('#from=-8h&to=now'), undefined);
  assert.match(rangeFault('#from=rubbish') ?? '', /In the link 'rubbish' is no time\. Write -8h/);
  assert.match(rangeFault('#from=2026-11-27&to=2026-11-26') ?? '', /ends before it begins/);
});
