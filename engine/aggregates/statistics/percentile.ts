// Percentiles of numbers that are in order.

/**
 * The value below which a share of the values lies: on the line between the two whose ranks are next to it (R. J. Hyndman and
 * Y. Fan, "Sample quantiles in statistical packages", 1996, type 7).
 * @param sorted ascending, at least one
 * @param percent 0 to 100
 */
export function percentileOf(sorted: Float64Array, percent: number): number {
  const rank = ((sorted.length - 1) * percent) / 100;
  const below = Math.floor(rank);
  const low = sorted[below] as number;
  const high = sorted[Math.min(sorted.length - 1, below + 1)] as number;
  return low === high ? low : low + (high - low) * (rank - below);
}
