// The edge between the list of tags and the trend: it is dragged, or moved by arrow keys; two clicks give the usual width.

import { useRef } from 'preact/hooks';
import { LEAST_WIDTH_PX, mostWidth, USUAL_WIDTH_PX, widthByKey } from '../model/tags/list-width.ts';
import { useStore } from '../state/store.ts';
import { listEdge, setListWidth } from '../user/list-width.ts';

export function WidthHandle() {
  const widthPx = useStore(listEdge, (state) => state.widthPx);
  const isHeld = useRef(false);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = widthByKey(event.key, widthPx, innerWidth);
    if (next === undefined) return;
    event.preventDefault();
    setListWidth(next);
  };
  return (
    <div
      class="width-handle"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the list of tags"
      aria-controls="sidebar"
      aria-valuemin={LEAST_WIDTH_PX}
      aria-valuemax={mostWidth(innerWidth)}
      aria-valuenow={widthPx}
      title="Drag, or arrow keys; two clicks: as usual"
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDblClick={() => setListWidth(USUAL_WIDTH_PX)}
      onPointerDown={(event) => {
        isHeld.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (isHeld.current) setListWidth(event.clientX);
      }}
      onLostPointerCapture={() => {
        isHeld.current = false;
      }}
    />
  );
}
