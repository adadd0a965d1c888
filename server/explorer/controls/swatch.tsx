// The colour of a tag of the trend, beside its name.

import { SERIES_COLOURS } from '../paint/colours.ts';

/** `place` in the trend; -1 for a tag that is not in it. */
export function Swatch({ place }: { readonly place: number }) {
  if (place < 0) return <i class="swatch" />;
  const colour = `var(--series-${(place % SERIES_COLOURS) + 1})`;
  return <i class="swatch" style={{ background: colour, borderColor: colour }} />;
}
