// The page of distributions in a link, and what is marked of a plot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMarked, joinedSpans, lengthOf, rangeBetween } from '../../../../../server/explorer/distribution/brush.ts';
import { tagKey } from '../../../../../server/explorer/model/tags/tag.ts';
import { formatPlot, parsePlot } from '../../../../../server/explorer/model/trend/plot-choice.ts';
import { FIRST_VIEW, formatView, parseView } from '../../../../../server/explorer/model/trend/view-state.ts';

const tags = ['A', 'B', 'State'].map((name) => ({ dataset: 'Plant', name }));
const [a, b, state] = tags.map(tagKey) as [string, string, string];

test('a link has the lines of the plot by their places', () => {
  assert.equal(formatPlot({ across: b }, tags), '2');
  assert.equal(formatPlot({ across: b, up: a, colour: state }, tags), '2-1-3');
  assert.equal(formatPlot({ across: b, up: 'gone', colour: state }, tags), '2', 'without what is gone');
  assert.equal(formatPlot({ across: 'gone', up: a }, tags), '');
  assert.deepEqual(parsePlot('2-1-3', tags), { across: b, up: a, colour: state });
  assert.deepEqual(parsePlot('1', tags), { across: a, up: undefined, colour: undefined });
  for (const wrong of [null, '', '0', '9', 'x', '1-2-3-4', '-1'])
    assert.equal(parsePlot(wrong, tags), undefined, `${wrong}`);
  assert.deepEqual(parsePlot('1-9-3', tags), { across: a, up: undefined, colour: undefined });
  const view = { ...FIRST_VIEW, dataset: 'Plant', tags, plot: { across: a, up: b, colour: undefined } };
  assert.match(formatView(view), /&plot=1-2$/);
  assert.deepEqual(parseView(formatView(view)), view);
});

test('what is marked are values between two ends, in both directions', () => {
  const brush = { x: rangeBetween(5, 1), y: rangeBetween(0, 2) };
  assert.equal(isMarked(brush, 1, 2), true);
  assert.equal(isMarked(brush, 3, 2.1), false);
  assert.equal(isMarked(brush, Number.NaN, 1), false);
  assert.equal(isMarked({ ...brush, y: undefined }, 5, 99), true);
});

test('intervals that touch are one span of time', () => {
  const spans = joinedSpans([0, 10, 20, 50, 60, 90], 10);
  assert.deepEqual(spans, [
    { startMs: 0, endMs: 30 },
    { startMs: 50, endMs: 70 },
    { startMs: 90, endMs: 100 },
  ]);
  assert.equal(lengthOf(spans), 60);
  assert.deepEqual(joinedSpans([], 10), []);
});
