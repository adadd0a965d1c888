import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  stepsOfDrag,
  withAsset,
  withClockTile,
  withoutTile,
  withSparklineToggled,
  withTextTile,
  withTileAt,
  withTileMoved,
  withTileSized,
  withTrendTile,
  withValueTile,
} from '../../../../../server/explorer/model/views/board-edit.ts';
import {
  type BoardContent,
  datasetsOfBoard,
  datasetsOfTrend,
  formatBoardContent,
  MOST_TILES,
  parseBoardContent,
  parseTrendContent,
  sortViews,
  type ViewHead,
} from '../../../../../server/explorer/model/views/saved-view.ts';

const EMPTY: BoardContent = { range: undefined, tiles: [] };
const board = withValueTile(withTrendTile(EMPTY, 'a1'), { dataset: 'Mill', name: 'T/1' });

function head(id: string, folder: string, name: string, datasets: readonly string[] = []): ViewHead {
  return { id, kind: 'trend', name, folder, datasets, changed: '', revision: 1, editable: true };
}

test('a dashboard is read as it was saved, also through JSON', () => {
  for (const range of [undefined, { from: '-8h', to: 'now' }, { from: 0, to: 1_704_067_200_000 }]) {
    const content = { ...board, range };
    assert.deepEqual(parseBoardContent(JSON.parse(JSON.stringify(formatBoardContent(content)))), content);
  }
});

test('texts, clocks, sparklines and the asset are read as they were saved, and can be taken back', () => {
  const edited = withSparklineToggled(withClockTile(withTextTile(withAsset(board, ' TK001 '), 'Tank')), 1);
  assert.deepEqual(parseBoardContent(JSON.parse(JSON.stringify(formatBoardContent(edited)))), edited);
  assert.equal(edited.asset, 'TK001');
  assert.deepEqual(
    edited.tiles.map(({ kind }) => kind),
    ['trend', 'value', 'text', 'clock'],
  );
  assert.deepEqual(withSparklineToggled(withAsset(edited, ''), 1).tiles.slice(0, 2), board.tiles);
  assert.equal('asset' in withAsset(edited, ''), false);
});

test('of contents that come from elsewhere what is not understood is left out', () => {
  for (const content of [
    null,
    7,
    'x',
    [],
    {},
    { tiles: {} },
    { tiles: [null, 1, { kind: 'picture' }, { kind: 'value' }] },
  ]) {
    assert.deepEqual(parseBoardContent(content), EMPTY);
    assert.deepEqual(parseTrendContent(content), { link: '' });
  }
  const odd = { range: { from: 'soon', to: 'now' }, tiles: [{ kind: 'trend', view: 'a', columns: 99, rows: -1 }] };
  assert.deepEqual(parseBoardContent(odd), {
    range: undefined,
    tiles: [{ kind: 'trend', view: 'a', columns: 6, rows: 1 }],
  });
  const many = { tiles: Array.from({ length: 100 }, () => ({ kind: 'trend', view: 'a' })) };
  assert.equal(parseBoardContent(many).tiles.length, MOST_TILES);
});

test('a view names the datasets of all that it shows', () => {
  assert.deepEqual(datasetsOfTrend('d=Line+1&t=A&d=Mill&t=B&t=C&d=Other'), ['Line 1', 'Mill']);
  const heads = [head('a1', '', 'Curve', ['Line 1', 'Mill']), head('a2', '', 'Not shown', ['Other'])];
  assert.deepEqual(datasetsOfBoard(board, heads), ['Line 1', 'Mill']);
  assert.deepEqual(datasetsOfBoard(board, []), ['Mill'], 'a trend that is gone names none');
});

test('views stand by folder, then by name, numbers as numbers', () => {
  const heads = [head('1', 'B', 'x'), head('2', '', 'Line 10'), head('3', '', 'Line 9'), head('4', 'A', 'z')];
  assert.deepEqual(
    sortViews(heads).map(({ id }) => id),
    ['3', '2', '4', '1'],
  );
});

test('tiles are moved, sized and removed, and never beyond what there is', () => {
  const kinds = ({ tiles }: BoardContent): string => tiles.map(({ kind }) => kind[0]).join('');
  assert.equal(kinds(withTileMoved(board, 1, -1)), 'vt');
  assert.equal(kinds(withTileMoved(board, 0, -1)), 'tv');
  assert.equal(kinds(withTileMoved(board, 1, 5)), 'tv');
  assert.equal(kinds(withTileMoved(board, 9, 1)), 'tv');
  const three = { ...board, tiles: [...board.tiles, { kind: 'clock', columns: 1, rows: 1 } as const] };
  assert.equal(kinds(withTileAt(three, 0, 2)), 'vct');
  assert.equal(kinds(withTileAt(three, 2, 0)), 'ctv');
  assert.equal(kinds(withoutTile(board, 0)), 'v');
  const { columns, rows } = withTileSized(board, 0, { columns: 9, rows: -9 }).tiles[0] ?? {};
  assert.deepEqual([columns, rows], [6, 1]);
  let full = EMPTY;
  for (let i = 0; i < MOST_TILES + 5; i++) full = withTrendTile(full, 'a');
  assert.equal(full.tiles.length, MOST_TILES);
});

test('a corner that is dragged makes whole cells, from the middle of one on', () => {
  const cell = { widthPx: 200, heightPx: 110 };
  assert.deepEqual(stepsOfDrag(99, 54, cell), { columns: 0, rows: 0 });
  assert.deepEqual(stepsOfDrag(101, -60, cell), { columns: 1, rows: -1 });
  assert.deepEqual(stepsOfDrag(610, 0, cell), { columns: 3, rows: 0 });
  assert.deepEqual(stepsOfDrag(50, 50, { widthPx: 0, heightPx: Number.NaN }), { columns: 0, rows: 0 });
});
