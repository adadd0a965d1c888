// What editing makes of a dashboard: tiles added, removed, moved and resized. Always a new content.

import type { TagRef } from '../tags/tag.ts';
import { type BoardContent, MOST_COLUMNS, MOST_ROWS, MOST_TEXT, MOST_TILES, type Tile } from './saved-view.ts';

const TREND_SIZE = { columns: 3, rows: 3 };
const VALUE_SIZE = { columns: 1, rows: 1 };
const TEXT_SIZE = { columns: 2, rows: 1 };

/** The tile comes after all others; the content stays the same when there are too many. */
export function withTrendTile(content: BoardContent, view: string): BoardContent {
  return withTile(content, { kind: 'trend', view, ...TREND_SIZE });
}

export function withValueTile(content: BoardContent, ref: TagRef): BoardContent {
  return withTile(content, { kind: 'value', ref, ...VALUE_SIZE });
}

export function withTextTile(content: BoardContent, text: string): BoardContent {
  return withTile(content, { kind: 'text', text: text.slice(0, MOST_TEXT), ...TEXT_SIZE });
}

export function withClockTile(content: BoardContent): BoardContent {
  return withTile(content, { kind: 'clock', ...VALUE_SIZE });
}

/** Draws the recent past of a value, or no longer. */
export function withSparklineToggled(content: BoardContent, index: number): BoardContent {
  const tiles = content.tiles.map((tile, at): Tile => {
    if (at !== index || tile.kind !== 'value') return tile;
    const { sparkline, ...plain } = tile;
    return sparkline === true ? plain : { ...plain, sparkline: true };
  });
  return { ...content, tiles };
}

/** An empty text: it is made for none. */
export function withAsset(content: BoardContent, asset: string): BoardContent {
  const { asset: _old, ...rest } = content;
  return asset.trim() === '' ? rest : { ...rest, asset: asset.trim() };
}

function withTile(content: BoardContent, tile: Tile): BoardContent {
  return content.tiles.length >= MOST_TILES ? content : { ...content, tiles: [...content.tiles, tile] };
}

export function withoutTile(content: BoardContent, index: number): BoardContent {
  return { ...content, tiles: content.tiles.filter((_, at) => at !== index) };
}

/** By so many places; not beyond the first or last one. */
export function withTileMoved(content: BoardContent, index: number, by: number): BoardContent {
  const tiles = [...content.tiles];
  const [tile] = tiles.splice(index, 1);
  if (tile === undefined) return content;
  tiles.splice(Math.max(0, Math.min(tiles.length, index + by)), 0, tile);
  return { ...content, tiles };
}

/** To the place of another tile; those between go on by one. */
export function withTileAt(content: BoardContent, index: number, place: number): BoardContent {
  return withTileMoved(content, index, place - index);
}

export interface CellSize {
  /** With the space to the next one. */
  readonly widthPx: number;
  readonly heightPx: number;
}

/** How many columns and rows a tile becomes larger when its corner is dragged so far; from the middle of a cell on it is a whole one. */
export function stepsOfDrag(xPx: number, yPx: number, { widthPx, heightPx }: CellSize): Required<SizeStep> {
  const steps = (px: number, cellPx: number): number => (cellPx > 0 ? Math.round(px / cellPx) : 0);
  return { columns: steps(xPx, widthPx), rows: steps(yPx, heightPx) };
}

export interface SizeStep {
  readonly columns?: number;
  readonly rows?: number;
}

export function withTileSized(content: BoardContent, index: number, { columns = 0, rows = 0 }: SizeStep): BoardContent {
  const tiles = content.tiles.map((tile, at) =>
    at === index
      ? { ...tile, columns: within(tile.columns + columns, MOST_COLUMNS), rows: within(tile.rows + rows, MOST_ROWS) }
      : tile,
  );
  return { ...content, tiles };
}

function within(value: number, most: number): number {
  return Math.max(1, Math.min(most, value));
}
