// Divides points evenly into blocks.

/** Points of each block when `count` points are split into blocks of about equal size, as near to `blockPoints` as can be. */
export function evenBlockPoints(count: number, blockPoints: number): number {
  const blocks = Math.max(1, Math.round(count / blockPoints));
  return Math.ceil(count / blocks);
}
