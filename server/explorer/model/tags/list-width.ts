// How wide the list of datasets and tags is: by hand, within bounds that leave room for the chart. Pure.

export const USUAL_WIDTH_PX = 316;
export const LEAST_WIDTH_PX = 200;
const MOST_SHARE = 0.7;
const KEY_STEP_PX = 16;

/** For a page of a width. */
export function mostWidth(pagePx: number): number {
  return Math.max(LEAST_WIDTH_PX, Math.floor(pagePx * MOST_SHARE));
}

export function listWidth(wantedPx: number, pagePx: number): number {
  return Math.round(Math.max(LEAST_WIDTH_PX, Math.min(mostWidth(pagePx), wantedPx)));
}

/** Width that a browser has kept; the usual one for what is none. */
export function keptWidth(text: string | null): number {
  const px = Number(text ?? '');
  return Number.isFinite(px) && px >= LEAST_WIDTH_PX ? px : USUAL_WIDTH_PX;
}

/** Width after a key on the edge; undefined for a key that does nothing there. */
export function widthByKey(key: string, widthPx: number, pagePx: number): number | undefined {
  const wanted = new Map([
    ['ArrowLeft', widthPx - KEY_STEP_PX],
    ['ArrowRight', widthPx + KEY_STEP_PX],
    ['Home', LEAST_WIDTH_PX],
    ['End', mostWidth(pagePx)],
    ['Enter', USUAL_WIDTH_PX],
  ]).get(key);
  return wanted === undefined ? undefined : listWidth(wanted, pagePx);
}
