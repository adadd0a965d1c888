// Places of times and values on a canvas, in device pixels.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Geometry {
  readonly box: Box;
  readonly startMs: number;
  readonly endMs: number;
  readonly min: number;
  readonly max: number;
  /** Lower end of areas; the bottom of the box when absent. */
  readonly floorY?: number;
  /** Device pixels in one of CSS. */
  readonly scale: number;
}

export function xOf({ box, startMs, endMs }: Geometry, timeMs: number): number {
  return box.left + ((timeMs - startMs) / (endMs - startMs)) * box.width;
}

export function yOf({ box, min, max }: Geometry, value: number): number {
  return box.top + box.height - ((value - min) / (max - min)) * box.height;
}
