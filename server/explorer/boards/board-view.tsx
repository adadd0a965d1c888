// A dashboard: its bar, and a grid of trends and single values that follow the clock.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { tagKey } from '../model/tags/tag.ts';
import type { TimeRange } from '../model/time/time-range.ts';
import { type AssetChange, boardForAsset } from '../model/views/asset.ts';
import type { BoardContent, Tile } from '../model/views/saved-view.ts';
import { readColours } from '../paint/colours.ts';
import { useStore } from '../state/store.ts';
import { themeChanges } from '../user/theme.ts';
import { assetInAddress, goToAsset } from '../views/view-address.ts';
import { type Board, refreshBoard, views } from '../views/views.ts';
import { AssetSelect } from './asset-select.tsx';
import { BoardBar } from './board-bar.tsx';
import { BoardForm } from './board-form.tsx';
import { useBoardValues } from './board-values.ts';
import { ClockTile, TextTile } from './plain-tiles.tsx';
import { TileFrame } from './tile-frame.tsx';
import { TrendTile } from './trend-tile.tsx';
import { ValueTile } from './value-tile.tsx';

/** Interval at which the page looks whether the dashboard was changed by somebody else. */
const REFRESH_MS = 60_000;

export function BoardView() {
  const board = useStore(views, (state) => state.board);
  return board === undefined ? null : <OpenBoard key={board.head?.id ?? ''} board={board} />;
}

function OpenBoard({ board }: { readonly board: Board }) {
  const host = useRef<HTMLElement>(null);
  const [range, setRange] = useState<TimeRange | 'as saved'>('as saved');
  useEffect(() => {
    const timer = setInterval(() => void refreshBoard().catch(() => {}), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const { isEdited } = board;
  const [asset, setAsset] = useAsset();
  const madeFor = board.content.asset;
  const change = madeFor === undefined || isEdited ? undefined : { from: madeFor, to: asset ?? madeFor };
  const content = change === undefined ? board.content : boardForAsset(board.content, change);
  return (
    <main class="board" ref={host} aria-label={board.head?.name ?? 'New dashboard'}>
      <BoardBar board={board} range={range} onRange={setRange} host={host}>
        {change === undefined ? null : <AssetSelect content={board.content} asset={change.to} onAsset={setAsset} />}
      </BoardBar>
      {isEdited ? <BoardForm content={content} /> : null}
      <Tiles
        content={content}
        isEdited={isEdited}
        change={change}
        range={range === 'as saved' ? content.range : range}
      />
    </main>
  );
}

/** The asset that the address names; undefined: the one that the dashboard was made for. */
function useAsset(): readonly [string | undefined, (asset: string) => void] {
  const [asset, setAsset] = useState(assetInAddress());
  useEffect(() => {
    const follow = (): void => setAsset(assetInAddress());
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const choose = (chosen: string): void => {
    goToAsset(chosen);
    setAsset(chosen);
  };
  return [asset, choose];
}

interface TilesProps {
  readonly content: BoardContent;
  readonly isEdited: boolean;
  /** Undefined for a dashboard of no asset. */
  readonly change: AssetChange | undefined;
  readonly range: TimeRange | undefined;
}

function Tiles({ content: { tiles }, isEdited, change, range }: TilesProps) {
  const theme = useStore(themeChanges, ({ count }) => count);
  const colours = useMemo(readColours, [theme]);
  const refs = tiles.flatMap((tile) => (tile.kind === 'value' ? [tile.ref] : []));
  const values = useBoardValues(refs);
  const keys = tileKeys(tiles);
  if (tiles.length === 0) {
    return (
      <div class="nothing">
        <p>This dashboard is empty.</p>
        {isEdited ? <p class="muted">Add saved trends and single values above.</p> : null}
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class={isEdited ? 'tiles edited' : 'tiles'} aria-label="Tiles" tabIndex={0}>
      {tiles.map((tile, index) => (
        <TileFrame key={keys[index]} tile={tile} index={index} isEdited={isEdited}>
          {tile.kind === 'trend' ? (
            <TrendTile key={theme} id={tile.view} change={change} range={range} colours={colours} />
          ) : null}
          {tile.kind === 'value' ? (
            <ValueTile tagRef={tile.ref} values={values} sparkline={tile.sparkline} range={range} />
          ) : null}
          {tile.kind === 'text' ? <TextTile text={tile.text} /> : null}
          {tile.kind === 'clock' ? <ClockTile /> : null}
        </TileFrame>
      ))}
    </section>
  );
}

function shownBy(tile: Tile): string {
  if (tile.kind === 'trend') return tile.view;
  if (tile.kind === 'value') return tagKey(tile.ref);
  return tile.kind === 'text' ? tile.text : '';
}

/** What a tile shows, and the how manieth of these it is: so a tile that is moved stays the same. */
function tileKeys(tiles: readonly Tile[]): string[] {
  const counts = new Map<string, number>();
  return tiles.map((tile) => {
    const shown = shownBy(tile);
    const count = counts.get(shown) ?? 0;
    counts.set(shown, count + 1);
    return `${tile.kind} ${shown} ${count}`;
  });
}
