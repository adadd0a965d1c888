// The new name of a tag in saved views: only that name changes, and only where it is that tag.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseView } from '../../../../../server/explorer/model/trend/view-state.ts';
import { renamedContent, renamedLink } from '../../../../../server/explorer/model/views/renamed-content.ts';

const rename = { dataset: 'Line 1', name: 'A/1', to: 'B+ä&' };

test('a trend has the new name with the scale, and the rest as it was', () => {
  const link = '#d=Line+1&t=A/1&scale=0..5&x=sum(A/1)&d=Line+2&t=A/1&d=Line+1&t=A&from=d+6h&to=now&table=statistics';
  const changed = renamedLink(link, rename) ?? '';
  const [before, after] = [parseView(link), parseView(changed)];
  assert.deepEqual(after.tags, before.tags.with(0, { dataset: 'Line 1', name: 'B+ä&' }));
  assert.equal(after.tags.length, 4);
  assert.deepEqual([...after.axes.values()], [...before.axes.values()]);
  assert.equal(after.axes.size, 1);
  assert.deepEqual({ ...after, tags: [], axes: [] }, { ...before, tags: [], axes: [] });
});

test('a dashboard has the new name in its values; tiles that are not known are kept', () => {
  const value = { kind: 'value', dataset: 'Line 1', tag: 'A/1', columns: 2, rows: 1, new: 1 };
  const other = { kind: 'value', dataset: 'Line 2', tag: 'A/1' };
  const content = { asset: 'A', tiles: [other, value, { kind: 'text', text: 'A/1' }, { kind: 'x' }, 7] };
  const wanted = { ...content, tiles: content.tiles.with(1, { ...value, tag: 'B+ä&' }) };
  assert.deepEqual(renamedContent(content, rename), wanted);
});

test('what does not name the tag, or is no view, is left alone', () => {
  const others = [
    { link: 'd=Line+2&t=A/1' },
    { link: 't=A/1' },
    { link: 7 },
    { tiles: [{ kind: 'value', tag: 'A/1' }] },
  ];
  for (const content of [...others, {}, null, 7, 'x', []]) assert.equal(renamedContent(content, rename), undefined);
});
