// One dashboard for many assets of a kind: made for one of them, and shown of another. Pure.

import { isCalculated, type LineRef, tagKey } from '../tags/tag.ts';
import type { ViewState } from '../trend/view-state.ts';
import type { BoardContent, Tile } from './saved-view.ts';

/** Assets that are proposed. */
const MOST_PROPOSED = 200;

export interface AssetChange {
  /** The asset that the dashboard was made for. */
  readonly from: string;
  readonly to: string;
}

/** A text with the one asset in place of the other, wherever it is a word of its own: `TK001.Level`, not `ATK0011`. */
export function renamed(text: string, { from, to }: AssetChange): string {
  return from === '' ? text : text.replace(assetPattern(from), () => to);
}

function assetPattern(asset: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(asset)}(?![\\p{L}\\p{N}])`, 'gu');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

export function boardForAsset(content: BoardContent, change: AssetChange): BoardContent {
  return { ...content, tiles: content.tiles.map((tile) => tileForAsset(tile, change)) };
}

/** A trend has its tags in its own view. */
function tileForAsset(tile: Tile, change: AssetChange): Tile {
  if (tile.kind === 'value') return { ...tile, ref: { ...tile.ref, name: renamed(tile.ref.name, change) } };
  return tile.kind === 'text' ? { ...tile, text: renamed(tile.text, change) } : tile;
}

export function viewForAsset(view: ViewState, change: AssetChange): ViewState {
  const moved = view.tags.map((ref) => [ref, refForAsset(ref, change)] as const);
  const axes = moved.flatMap(([old, ref]) => {
    const settings = view.axes.get(tagKey(old));
    return settings === undefined ? [] : [[tagKey(ref), settings] as const];
  });
  return { ...view, tags: moved.map(([, ref]) => ref), axes: new Map(axes) };
}

function refForAsset(ref: LineRef, change: AssetChange): LineRef {
  const name = renamed(ref.name, change);
  return isCalculated(ref) ? { ...ref, name, expression: renamed(ref.expression, change) } : { ...ref, name };
}

/** The assets that have the tags of the dashboard's values, sorted; told by the names of their dataset's tags. */
export function assetsLike(asset: string, wanted: readonly string[], names: readonly string[]): string[] {
  const patterns = wanted
    .filter((name) => renamed(name, { from: asset, to: '' }) !== name)
    .map((name) => {
      const parts = name.split(assetPattern(asset)).map(escaped);
      return new RegExp(`^${parts.join('([\\p{L}\\p{N}]+)')}$`, 'u');
    });
  const sets = patterns.map((pattern) => new Set(names.flatMap((name) => pattern.exec(name)?.[1] ?? [])));
  const [first, ...others] = sets;
  if (first === undefined) return [];
  const shared = [...first].filter((one) => others.every((set) => set.has(one)));
  return shared.sort(new Intl.Collator(undefined, { numeric: true }).compare).slice(0, MOST_PROPOSED);
}
