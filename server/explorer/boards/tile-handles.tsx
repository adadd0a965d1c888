// What is dragged of a tile while its dashboard is edited: the grip moves it to the place of another one, the corner sizes it.
// Arrow keys do the same where they have the focus.

import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { type CellSize, stepsOfDrag, withTileAt, withTileMoved, withTileSized } from '../model/views/board-edit.ts';
import type { BoardContent, Tile } from '../model/views/saved-view.ts';
import { createStore } from '../state/store.ts';
import { changeBoard, views } from '../views/views.ts';

interface TileDrag {
  /** Index of the tile that is being moved. */
  readonly from: number | undefined;
  /** And of the one whose place it gets. */
  readonly over: number | undefined;
}

const NO_DRAG: TileDrag = { from: undefined, over: undefined };

export const tileDrag = createStore<TileDrag>(NO_DRAG);

type Edit = (content: BoardContent) => BoardContent;

/** Changes the dashboard as it is now; the focus stays on what has it inside of `host`. */
export function useTileChange(host: RefObject<HTMLElement | null>): (edit: Edit) => void {
  return (edit) => {
    const { board } = views.get();
    if (board === undefined) return;
    const focused = document.activeElement;
    changeBoard({ content: edit(board.content) });
    // A tile that is put elsewhere in the page loses the focus.
    requestAnimationFrame(() => {
      if (focused instanceof HTMLElement && host.current?.contains(focused)) focused.focus();
    });
  };
}

export function MoveHandle({ index }: { readonly index: number }) {
  const host = useRef<HTMLButtonElement>(null);
  const change = useTileChange(host);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = new Map([
      ['ArrowLeft', -1],
      ['ArrowUp', -1],
      ['ArrowRight', 1],
      ['ArrowDown', 1],
    ]).get(event.key);
    if (by === undefined) return;
    event.preventDefault();
    change((content) => withTileMoved(content, index, by));
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent): void => {
    if (tileDrag.get().from !== index) return;
    const over = tileAt(clientX, clientY);
    tileDrag.set({ over: over === index ? undefined : over });
  };
  const onPointerUp = (): void => {
    const { from, over } = tileDrag.get();
    tileDrag.set(NO_DRAG);
    if (from === index && over !== undefined) change((content) => withTileAt(content, index, over));
  };
  return (
    <button
      ref={host}
      type="button"
      class="move-handle"
      aria-label={`Tile ${index + 1}: move, by arrow keys`}
      title="Drag to the place of another tile; arrow keys do the same"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        tileDrag.set({ from: index, over: undefined });
      }}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => tileDrag.set(NO_DRAG)}
    >
      ⠿
    </button>
  );
}

function tileAt(x: number, y: number): number | undefined {
  const tile = document.elementFromPoint(x, y)?.closest<HTMLElement>('.tile');
  const index = tile?.dataset.index;
  return index === undefined ? undefined : Number(index);
}

interface SizeDrag {
  readonly x: number;
  readonly y: number;
  readonly cell: CellSize;
  readonly columns: number;
  readonly rows: number;
}

export function SizeHandle({ tile: { columns, rows }, index }: { readonly tile: Tile; readonly index: number }) {
  const host = useRef<HTMLButtonElement>(null);
  const drag = useRef<SizeDrag | undefined>(undefined);
  const change = useTileChange(host);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = new Map([
      ['ArrowLeft', { columns: -1 }],
      ['ArrowUp', { rows: -1 }],
      ['ArrowRight', { columns: 1 }],
      ['ArrowDown', { rows: 1 }],
    ]).get(event.key);
    if (step === undefined) return;
    event.preventDefault();
    change((content) => withTileSized(content, index, step));
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent): void => {
    const began = drag.current;
    if (began === undefined) return;
    const by = stepsOfDrag(clientX - began.x, clientY - began.y, began.cell);
    const step = { columns: began.columns + by.columns - columns, rows: began.rows + by.rows - rows };
    if (step.columns !== 0 || step.rows !== 0) change((content) => withTileSized(content, index, step));
  };
  return (
    <button
      ref={host}
      type="button"
      class="size-handle"
      aria-label={`Tile ${index + 1}: size, by arrow keys`}
      title={`${columns} × ${rows}; drag, or arrow keys`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        const cell = cellOf(event.currentTarget.closest('.tiles'));
        drag.current = { x: event.clientX, y: event.clientY, cell, columns, rows };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onPointerMove}
      onLostPointerCapture={() => {
        drag.current = undefined;
      }}
    />
  );
}

/** Size of the first cell of the grid. */
function cellOf(grid: Element | null): CellSize {
  if (grid === null) return { widthPx: 0, heightPx: 0 };
  const { gridTemplateColumns, gridTemplateRows, columnGap, rowGap } = getComputedStyle(grid);
  const sizeOf = (tracks: string, gap: string): number => Number.parseFloat(tracks) + (Number.parseFloat(gap) || 0);
  return { widthPx: sizeOf(gridTemplateColumns, columnGap), heightPx: sizeOf(gridTemplateRows, rowGap) };
}
