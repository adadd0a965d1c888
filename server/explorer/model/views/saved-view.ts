// Views that the server keeps: trends and dashboards. Their contents are this page's own, and may come from anywhere: what
// is not understood is left out.

import type { TagRef } from '../tags/tag.ts';
import { parseBound, type TimeRange } from '../time/time-range.ts';
import type { Bound } from '../time/typed-time.ts';
import { parseView } from '../trend/view-state.ts';

export type ViewKind = 'trend' | 'dashboard' | 'shifts';

export interface ViewHead {
  readonly id: string;
  readonly kind: ViewKind;
  readonly name: string;
  /** Names with `/` between them; empty for none. */
  readonly folder: string;
  readonly owner?: string;
  readonly datasets: readonly string[];
  /** ISO 8601. */
  readonly changed: string;
  readonly revision: number;
  /** Whether whoever asks may change it. */
  readonly editable: boolean;
}

export interface SavedView extends ViewHead {
  readonly content: unknown;
}

/** What is sent to save a view. */
export interface ViewDefinition {
  readonly kind: ViewKind;
  readonly name: string;
  readonly folder: string;
  readonly datasets: readonly string[];
  readonly content: unknown;
}

/** What a saved trend shows: the fragment of the address that opens it. */
export interface TrendContent {
  readonly link: string;
}

interface TileSize {
  /** Width, in the six columns of a wide screen. */
  readonly columns: number;
  readonly rows: number;
}

export type Tile = TileSize &
  (
    | { readonly kind: 'trend'; readonly view: string }
    | {
        readonly kind: 'value';
        readonly ref: TagRef;
        /** Whether its recent past is drawn; absent: it is not. */
        readonly sparkline?: true;
      }
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'clock' }
  );

export interface BoardContent {
  /** Range of all trends; undefined when each has its own. */
  readonly range: TimeRange | undefined;
  /** What it was made for, such as `TK001`, when it can be shown of another one; absent: it cannot. */
  readonly asset?: string;
  readonly tiles: readonly Tile[];
}

export const MOST_COLUMNS = 6;
export const MOST_ROWS = 6;
export const MOST_TILES = 48;
export const MOST_TEXT = 200;
const MOST_ASSET = 100;

export function parseTrendContent(content: unknown): TrendContent {
  const { link } = asObject(content);
  return { link: typeof link === 'string' ? link : '' };
}

export function datasetsOfTrend(link: string): string[] {
  return [...new Set(parseView(link).tags.map(({ dataset }) => dataset))];
}

export function parseBoardContent(content: unknown): BoardContent {
  const { range, asset, tiles } = asObject(content);
  const list = Array.isArray(tiles) ? tiles.slice(0, MOST_TILES) : [];
  const madeFor = typeof asset === 'string' && asset !== '' ? { asset: asset.slice(0, MOST_ASSET) } : {};
  return { range: parseRange(range), ...madeFor, tiles: list.flatMap(parseTile) };
}

/** Content in the form that is saved; `parseBoardContent` reads it. */
export function formatBoardContent({ range, asset, tiles }: BoardContent): object {
  return {
    ...(range === undefined ? {} : { range: { from: formatBound(range.from), to: formatBound(range.to) } }),
    ...(asset === undefined ? {} : { asset }),
    tiles: tiles.map(formatTile),
  };
}

function formatTile(tile: Tile): object {
  if (tile.kind !== 'value') return tile;
  const { ref, ...rest } = tile;
  return { ...rest, dataset: ref.dataset, tag: ref.name };
}

/** Datasets of all tiles; a trend that is not known any more names none. */
export function datasetsOfBoard({ tiles }: BoardContent, heads: readonly ViewHead[]): string[] {
  const named = tiles.flatMap((tile) => {
    if (tile.kind === 'value') return [tile.ref.dataset];
    return tile.kind === 'trend' ? (heads.find(({ id }) => id === tile.view)?.datasets ?? []) : [];
  });
  return [...new Set(named)];
}

/** By folder, then by name; those without a folder first. */
export function sortViews(heads: readonly ViewHead[]): ViewHead[] {
  const keys = new Intl.Collator(undefined, { numeric: true });
  return [...heads].sort((a, b) => keys.compare(a.folder, b.folder) || keys.compare(a.name, b.name));
}

function parseTile(value: unknown): Tile[] {
  const { kind, view, dataset, tag, sparkline, text, columns, rows } = asObject(value);
  const size = { columns: wholeNumber(columns, MOST_COLUMNS), rows: wholeNumber(rows, MOST_ROWS) };
  if (kind === 'trend' && typeof view === 'string') return [{ kind, view, ...size }];
  if (kind === 'value' && typeof dataset === 'string' && typeof tag === 'string') {
    return [{ kind, ref: { dataset, name: tag }, ...(sparkline === true ? { sparkline } : {}), ...size }];
  }
  if (kind === 'text' && typeof text === 'string') return [{ kind, text: text.slice(0, MOST_TEXT), ...size }];
  if (kind === 'clock') return [{ kind, ...size }];
  return [];
}

function parseRange(value: unknown): TimeRange | undefined {
  const { from, to } = asObject(value);
  const [start, end] = [from, to].map((bound) => (typeof bound === 'string' ? parseBound(bound) : undefined));
  return start === undefined || end === undefined ? undefined : { from: start, to: end };
}

function formatBound(bound: Bound): string {
  return typeof bound === 'string' ? bound : new Date(bound).toISOString();
}

function wholeNumber(value: unknown, most: number): number {
  return typeof value === 'number' ? Math.max(1, Math.min(most, Math.round(value))) : 1;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
