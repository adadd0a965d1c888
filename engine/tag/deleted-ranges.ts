// Ordinals whose points were removed: in order, and none of the ranges overlap, so that of very many the one that an ordinal
// is in is found at once.

/** Ordinals `[from, to)`. */
export interface OrdinalRange {
  readonly from: number;
  readonly to: number;
}

export type DeletedRanges = readonly OrdinalRange[];

/** With further ranges, which mostly come behind all others. */
export function withRanges(deleted: DeletedRanges, further: Iterable<OrdinalRange>): DeletedRanges {
  const ranges = [...deleted];
  for (const range of further) addRange(ranges, range);
  return ranges;
}

function addRange(ranges: OrdinalRange[], { from, to }: OrdinalRange): void {
  const first = firstBehind(ranges, from);
  let behind = first;
  while (behind < ranges.length && (ranges[behind] as OrdinalRange).from < to) behind++;
  if (behind === first) {
    ranges.splice(first, 0, { from, to });
    return;
  }
  const whole = {
    from: Math.min(from, (ranges[first] as OrdinalRange).from),
    to: Math.max(to, (ranges[behind - 1] as OrdinalRange).to),
  };
  ranges.splice(first, behind - first, whole);
}

export function isInRanges(deleted: DeletedRanges, ordinal: number): boolean {
  const range = deleted[firstBehind(deleted, ordinal)];
  return range !== undefined && range.from <= ordinal;
}

/** Whether an ordinal of `[from, end)` is in one of them. */
export function touchesRanges(deleted: DeletedRanges, from: number, end: number): boolean {
  const range = deleted[firstBehind(deleted, from)];
  return range !== undefined && range.from < end;
}

/** Whether all ordinals of `[from, end)` are in one of them. */
export function holdsAll(deleted: DeletedRanges, from: number, end: number): boolean {
  const range = deleted[firstBehind(deleted, from)];
  return range !== undefined && range.from <= from && range.to >= end;
}

/** The first range that ends behind an ordinal. */
function firstBehind(deleted: DeletedRanges, ordinal: number): number {
  let low = 0;
  let high = deleted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((deleted[middle] as OrdinalRange).to > ordinal) high = middle;
    else low = middle + 1;
  }
  return low;
}
