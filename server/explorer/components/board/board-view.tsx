// A dashboard: its bar, and a grid of trends and single values that follow the clock.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { tagKey } from '../../model/tags/tag.ts';
import type { TimeRange } from '../../model/time/time-range.ts';
import type { Tile } from '../../model/views/saved-view.ts';
import { readColours } from '../../paint/colours.ts';
import { useStore } from '../../state/app/store.ts';
import { useBoardValues } from '../../state/trend/board-values.ts';
import { themeChanges } from '../../state/user/theme.ts';
import { type Board, refreshBoard, views } from '../../state/views/views.ts';
import { BoardBar } from './board-bar.tsx';
import { BoardForm } from './board-form.tsx';
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
  const { content, isEdited } = board;
  return (
    <main class="board" ref={host} aria-label={board.head?.name ?? 'New dashboard'}>
      <BoardBar board={board} range={range} onRange={setRange} host={host} />
      {isEdited ? <BoardForm content={content} /> : null}
      <Tiles board={board} range={range === 'as saved' ? content.range : range} />
    </main>
  );
}

function Tiles({ board, range }: { readonly board: Board; readonly range: TimeRange | undefined }) {
  const { tiles } = board.content;
  const theme = useStore(themeChanges, ({ count }) => count);
  const colours = useMemo(readColours, [theme]);
  const refs = tiles.flatMap((tile) => (tile.kind === 'value' ? [tile.ref] : []));
  const values = useBoardValues(refs);
  const keys = tileKeys(tiles);
  if (tiles.length === 0) {
    return (
      <div class="nothing">
        <p>This dashboard is empty.</p>
        {board.isEdited ? <p class="muted">Add saved trends and single values above.</p> : null}
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class={board.isEdited ? 'tiles edited' : 'tiles'} aria-label="Tiles" tabIndex={0}>
      {tiles.map((tile, index) => (
        <TileFrame key={keys[index]} tile={tile} index={index} isEdited={board.isEdited}>
          {tile.kind === 'trend' ? (
            <TrendTile key={theme} id={tile.view} range={range} colours={colours} />
          ) : (
            <ValueTile tagRef={tile.ref} values={values} />
          )}
        </TileFrame>
      ))}
    </section>
  );
}

/** What a tile shows, and the how manieth of these it is: so a tile that is moved stays the same. */
function tileKeys(tiles: readonly Tile[]): string[] {
  const counts = new Map<string, number>();
  return tiles.map((tile) => {
    const shown = tile.kind === 'trend' ? tile.view : tagKey(tile.ref);
    const count = counts.get(shown) ?? 0;
    counts.set(shown, count + 1);
    return `${tile.kind} ${shown} ${count}`;
  });
}
