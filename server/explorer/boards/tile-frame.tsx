// The place of a tile in the grid, with what moves and sizes it while the dashboard is edited.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { withoutTile, withSparklineToggled, withTileMoved, withTileSized } from '../model/views/board-edit.ts';
import { type BoardContent, MOST_COLUMNS, MOST_ROWS, type Tile } from '../model/views/saved-view.ts';
import { useStore } from '../state/store.ts';
import { views } from '../views/views.ts';
import { MoveHandle, SizeHandle, tileDrag, useTileChange } from './tile-handles.tsx';

interface FrameProps {
  readonly tile: Tile;
  readonly index: number;
  readonly isEdited: boolean;
  readonly children: ComponentChildren;
}

export function TileFrame({ tile, index, isEdited, children }: FrameProps) {
  const { columns, rows, kind } = tile;
  const dragged = useStore(tileDrag, ({ from, over }) => dragClass(index, from, over));
  return (
    <div class={`tile ${kind}${dragged}`} data-index={index} style={{ '--columns': columns, '--rows': rows }}>
      {isEdited ? <TileButtons tile={tile} index={index} /> : null}
      {children}
      {isEdited ? <SizeHandle tile={tile} index={index} /> : null}
    </div>
  );
}

function dragClass(index: number, from: number | undefined, over: number | undefined): string {
  if (index === from) return ' dragged';
  return index === over ? ' drop-here' : '';
}

function TileButtons({ tile, index }: Pick<FrameProps, 'tile' | 'index'>) {
  const { columns, rows } = tile;
  const host = useRef<HTMLDivElement>(null);
  const count = views.get().board?.content.tiles.length ?? 0;
  const change = useTileChange(host);
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
      <MoveHandle index={index} />
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
