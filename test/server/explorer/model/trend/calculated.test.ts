import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseExpression } from '../../../../../server/calculation/expression.ts';
import { formatReads } from '../../../../../server/explorer/model/export/copy-as.ts';
import { choicesOf, screenReads } from '../../../../../server/explorer/model/export/screen-reads.ts';
import { isSameTag, type LineRef, tagKey, tagsOnly } from '../../../../../server/explorer/model/tags/tag.ts';
import { AUTOMATIC } from '../../../../../server/explorer/model/trend/axis-settings.ts';
import {
  addsUp,
  calculatedDefinition,
  calculatedRef,
  goesBack,
  MOST_EXPRESSION_CHARACTERS,
  MOST_NAME_CHARACTERS,
  tagsOfExpression,
  tagTerm,
} from '../../../../../server/explorer/model/trend/calculated.ts';
import { FIRST_VIEW, formatView, parseView } from '../../../../../server/explorer/model/trend/view-state.ts';
import { datasetsOfTrend } from '../../../../../server/explorer/model/views/saved-view.ts';

const FLOW = { dataset: 'Demo', name: 'FL001.Flow' };
const LOSS = { dataset: 'Demo', name: 'Loss', expression: '(FL001.Flow - FL002.Flow) * 60' };
const BARE = { dataset: 'Mill', name: 'A/2', expression: 'A/2' };

test('a link holds calculated series among the tags, with names and scales', () => {
  const axes = new Map([
    [tagKey(LOSS), { ...AUTOMATIC, min: 0, max: 5 }],
    [tagKey(BARE), { ...AUTOMATIC, limits: [2] }],
  ]);
  const view = { ...FIRST_VIEW, dataset: 'Mill', tags: [LOSS, FLOW, BARE], axes };
  const link = formatView(view);
  assert.equal(
    link,
    'd=Demo&x=(FL001.Flow+-+FL002.Flow)+*+60&name=Loss&scale=0..5&t=FL001.Flow&d=Mill&x=A/2&limits=2&from=-2h&to=now',
  );
  assert.deepEqual(parseView(`#${link}`), view);
  assert.deepEqual(datasetsOfTrend('d=Demo&x=A&d=Mill&t=B&x=C'), ['Demo', 'Mill']);
});

test('a link holds whatever expression and name', () => {
  const text = (maxLength: number) =>
    fc.string({ unit: 'binary', minLength: 1, maxLength }).filter((one) => one.isWellFormed() && one.trim() !== '');
  const ref = fc.record({ dataset: text(20), name: text(30), expression: text(80) }, { noNullPrototype: true });
  const refs = fc.uniqueArray(ref, { minLength: 1, maxLength: 6, selector: tagKey });
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  fc.assert(
    fc.property(refs, (tags) => {
      const view = { ...FIRST_VIEW, dataset: tags.at(-1)?.dataset, tags };
      assert.deepEqual(parseView(formatView(view)), view);
    }),
    { seed, numRuns: 200 },
  );
});

test('what a link says wrongly of calculated series is left out, with all that belongs to it', () => {
  const long = 'A'.repeat(MOST_EXPRESSION_CHARACTERS + 1);
  for (const expression of ['', '+++', long]) {
    const { tags, axes } = parseView(`#d=X&t=T&x=${expression}&name=N&scale=1..2`);
    assert.deepEqual(tags, [{ dataset: 'X', name: 'T' }]);
    assert.equal(axes.size, 0, 'the scale is not that of the tag before');
  }
  assert.deepEqual(parseView('#x=A&name=N').tags, [], 'without a dataset');
  const called = (name: string) => parseView(`#d=X&x=A&name=${name}`).tags[0]?.name;
  assert.deepEqual(
    [called('N'), called(''), called('++'), called('N'.repeat(MOST_NAME_CHARACTERS + 1))],
    ['N', 'A', 'A', 'A'],
  );
  assert.deepEqual(parseView('#d=X&t=T&name=N').tags, [{ dataset: 'X', name: 'T' }], 'tags have their own names');
  assert.equal(parseView('#d=X&x=A&of=Count').axes.size, 0, 'what the line is made of is not chosen');
  const many = Array.from({ length: 40 }, (_, i) => `x=A%2B${i % 30}`).join('&');
  assert.equal(parseView(`#d=X&${many}&t=B`).tags.length, 16, 'with tags they are sixteen at most');
});

test('a calculated series is no tag, whatever it is called', () => {
  const namesake: LineRef = { dataset: 'Demo', name: 'FL001.Flow', expression: 'FL001.Flow' };
  assert.notEqual(tagKey(namesake), tagKey(FLOW));
  assert.equal(isSameTag(namesake, FLOW), false);
  assert.equal(isSameTag(LOSS, { ...LOSS, expression: 'FL001.Flow' }), false);
  assert.equal(isSameTag(LOSS, { ...LOSS }), true);
  assert.deepEqual(tagsOnly([namesake, FLOW, LOSS]), [FLOW]);
});

test('its line says what it is made of, and its expression where it has another name', () => {
  assert.deepEqual(calculatedDefinition(LOSS, 30_000), {
    n: 'Loss',
    t: 'System.Double',
    d: '(FL001.Flow - FL002.Flow) * 60',
    aggregate: 'expression of averages of 30 s',
  });
  assert.deepEqual(calculatedDefinition(BARE), { n: 'A/2', t: 'System.Double' }, 'while nothing was read');
  assert.deepEqual(calculatedRef('Mill', 'A/2'), BARE);
  assert.equal(calculatedRef('Mill', ' '), undefined);
});

test('the server reads each name of a tag as the page puts it into an expression', () => {
  const names = [
    'FL001.Flow',
    'Line 1/Flow',
    "O'Neill",
    'a\\b',
    '1.5',
    'true',
    'A.null',
    '$System.Writes',
    'Öfen.1',
    'a.1',
  ];
  for (const name of names) assert.deepEqual(parseExpression(`-(${tagTerm(name)}) * 2`).tags, [name]);
  assert.equal(tagTerm('FL001.Flow'), 'FL001.Flow');
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), (name) => {
      assert.deepEqual(parseExpression(tagTerm(name)).tags, [name]);
    }),
    { seed, numRuns: 300 },
  );
});

test('curl asks for expressions beside the tags of their dataset', () => {
  const requests = screenReads([LOSS, BARE, FLOW], { from: '-2h', to: 'now' }, choicesOf(new Map()));
  assert.equal(
    formatReads('curl', { origin: 'http://h', requests, hasToken: false, isNumeric: true }),
    [
      "curl -s 'http://h/api/datasets/Demo/data?tagname=FL001.Flow&expr=(FL001.Flow%20-%20FL002.Flow)%20*%2060&relativeStart=-2h&boundary=carry'",
      "curl -s 'http://h/api/datasets/Mill/data?expr=A%2F2&relativeStart=-2h&boundary=carry'",
    ].join('\n'),
  );
});

test('a link holds unit and format of a calculated series, and its definition has them', () => {
  const total = { dataset: 'Mill', name: 'Total', expression: "integral(Flow, 'h')", unit: 'm³', format: '#,##0.0' };
  const view = { ...FIRST_VIEW, dataset: 'Mill', tags: [total, BARE] };
  assert.match(formatView(view), /&name=Total&unit=m%C2%B3&format=%23%2C%23%230\.0&x=A\/2/);
  assert.deepEqual(parseView(formatView(view)), view);
  assert.deepEqual(parseView('#d=Mill&t=T&unit=m').tags, [{ dataset: 'Mill', name: 'T' }], 'tags have their own');
  assert.deepEqual(parseView(`#d=Mill&x=A&unit=${'u'.repeat(99)}&format=+`).tags, [calculatedRef('Mill', 'A')]);
  const { u, f } = calculatedDefinition(total, 60_000);
  assert.deepEqual([u, f], [{ 1: 'm³' }, '#,##0.0']);
});

test('spans of functions are no tags', () => {
  assert.deepEqual(tagsOfExpression("movingAverage(A - 'Line 1/B', '10m') + rate(C, 'h')"), ['A', 'Line 1/B', 'C']);
  assert.deepEqual(tagsOfExpression('max(A, "10x")'), ['A', '10x']);
});

test('what goes by what was before is told apart, as the server does', () => {
  for (const text of ["movingAverage(A, '1h')", 'A - previous(A)', 'rate (A)', 'integral(A)', 'A + 1', "'rate' + 1"]) {
    assert.equal(goesBack(text), parseExpression(text).lead !== undefined, text);
  }
  assert.deepEqual(['integral(A) * 2', 'rate(A)'].map(addsUp), [true, false]);
});
