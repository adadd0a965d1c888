// The place of a tile in the grid, with the buttons that move and size it while the dashboard is edited.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { withoutTile, withSparklineToggled, withTileMoved, withTileSized } from '../../model/views/board-edit.ts';
import { type BoardContent, MOST_COLUMNS, MOST_ROWS, type Tile } from '../../model/views/saved-view.ts';
import { changeBoard, views } from '../../state/views/views.ts';

interface FrameProps {
  readonly tile: Tile;
  readonly index: number;
  readonly isEdited: boolean;
  readonly children: ComponentChildren;
}

export function TileFrame({ tile, index, isEdited, children }: FrameProps) {
  const { columns, rows, kind } = tile;
  return (
    <div class={`tile ${kind}`} style={{ '--columns': columns, '--rows': rows }}>
      {isEdited ? <TileButtons tile={tile} index={index} /> : null}
      {children}
    </div>
  );
}

function TileButtons({ tile, index }: Pick<FrameProps, 'tile' | 'index'>) {
  const { columns, rows } = tile;
  const host = useRef<HTMLDivElement>(null);
  const count = views.get().board?.content.tiles.length ?? 0;
  const change = (edit: (content: BoardContent) => BoardContent): void => {
    const { board } = views.get();
    if (board === undefined) return;
    const focused = document.activeElement;
    changeBoard({ content: edit(board.content) });
    // A tile that is put elsewhere in the page loses the focus.
    requestAnimationFrame(() => {
      if (focused instanceof HTMLElement && host.current?.contains(focused)) focused.focus();
    });
  };
  const button = (label: string, sign: string, isPossible: boolean, edit: (content: BoardContent) => BoardContent) => (
    <button
      type="button"
      aria-label={`Tile ${index + 1}: ${label}`}
      title={label}
      aria-disabled={!isPossible}
      onClick={() => {
        if (isPossible) change(edit);
      }}
    >
      {sign}
    </button>
  );
  return (
    <div class="tile-buttons" ref={host} role="group" aria-label={`Place and size of tile ${index + 1}`}>
      {button('to the front', '←', index > 0, (content) => withTileMoved(content, index, -1))}
      {button('to the back', '→', index < count - 1, (content) => withTileMoved(content, index, 1))}
      {button('narrower', '↔−', columns > 1, (content) => withTileSized(content, index, { columns: -1 }))}
      {button('wider', '↔+', columns < MOST_COLUMNS, (content) => withTileSized(content, index, { columns: 1 }))}
      {button('lower', '↕−', rows > 1, (content) => withTileSized(content, index, { rows: -1 }))}
      {button('higher', '↕+', rows < MOST_ROWS, (content) => withTileSized(content, index, { rows: 1 }))}
      {tile.kind === 'value' ? button('sparkline', '∿', true, (content) => withSparklineToggled(content, index)) : null}
      {button('remove', '×', true, (content) => withoutTile(content, index))}
    </div>
  );
}
