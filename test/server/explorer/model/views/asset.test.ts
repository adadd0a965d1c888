// One dashboard for many assets: which names change, and which assets are offered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tagKey } from '../../../../../server/explorer/model/tags/tag.ts';
import { AUTOMATIC } from '../../../../../server/explorer/model/trend/axis-settings.ts';
import { parseView } from '../../../../../server/explorer/model/trend/view-state.ts';
import { assetsLike, boardForAsset, renamed, viewForAsset } from '../../../../../server/explorer/model/views/asset.ts';
import type { BoardContent } from '../../../../../server/explorer/model/views/saved-view.ts';

const change = { from: 'TK001', to: 'TK$&3' };

test('an asset is replaced where it is a word of its own', () => {
  const texts = ['TK001.Level', 'Site/TK001/TK001-A', 'ATK001', 'TK0011', 'Tank TK001', 'tk001'];
  const wanted = ['TK$&3.Level', 'Site/TK$&3/TK$&3-A', 'ATK001', 'TK0011', 'Tank TK$&3', 'tk001'];
  assert.deepEqual(
    texts.map((text) => renamed(text, change)),
    wanted,
  );
  assert.equal(renamed('a.b', { from: '', to: 'x' }), 'a.b');
  assert.equal(renamed('A.1 AX1', { from: 'A.1', to: 'B' }), 'B AX1');
});

test('tags and texts of a dashboard change; trends and clocks stay, for they have their own', () => {
  const size = { columns: 1, rows: 1 };
  const content: BoardContent = {
    range: undefined,
    asset: 'TK001',
    tiles: [
      { kind: 'value', ref: { dataset: 'D', name: 'TK001.Level' }, sparkline: true, ...size },
      { kind: 'text', text: 'Tank TK001', ...size },
      { kind: 'trend', view: 'TK001', ...size },
      { kind: 'clock', ...size },
    ],
  };
  const { tiles } = boardForAsset(content, { from: 'TK001', to: 'TK003' });
  assert.deepEqual(tiles, [
    { kind: 'value', ref: { dataset: 'D', name: 'TK003.Level' }, sparkline: true, ...size },
    { kind: 'text', text: 'Tank TK003', ...size },
    { kind: 'trend', view: 'TK001', ...size },
    { kind: 'clock', ...size },
  ]);
});

test('a trend is that of the other asset, with expressions, scales and limits', () => {
  const view = parseView("d=D&t=TK001.Level&limits=80&x='TK001.Level'*2&name=Twice TK001&from=-2h&to=now");
  const moved = viewForAsset(view, { from: 'TK001', to: 'TK003' });
  assert.deepEqual(moved.tags, [
    { dataset: 'D', name: 'TK003.Level' },
    { dataset: 'D', name: 'Twice TK003', expression: "'TK003.Level'*2" },
  ]);
  const settings = moved.axes.get(tagKey({ dataset: 'D', name: 'TK003.Level' }));
  assert.deepEqual(settings, { ...AUTOMATIC, limits: [80] });
});

test('assets that have all of the tags are offered, in the order of their numbers', () => {
  const names = ['TK10.Level', 'TK10.Temp', 'TK2.Level', 'TK2.Temp', 'TK3.Level', 'Other', 'X.TK2.Level'];
  assert.deepEqual(assetsLike('TK2', ['TK2.Level', 'TK2.Temp', 'Other'], names), ['TK2', 'TK10']);
  assert.deepEqual(assetsLike('TK2', ['Other'], names), []);
});
