// Shades of a tag's colour for its states: darker ones for higher states, stripes where there are more than a few.

export interface Shade {
  /** Percent of the colour on the paper; undefined for grey. */
  readonly strength: number | undefined;
  readonly isStriped: boolean;
}

export const UNKNOWN_SHADE: Shade = { strength: undefined, isStriped: true };

const LIGHTEST = 18;
const DARKEST = 95;
/** Shades that an eye tells apart. */
const MOST_SOLID = 5;

/** Shade of the state at a place among so many. */
export function shadeAt(place: number, count: number): Shade {
  const solid = Math.min(count, MOST_SOLID);
  const step = solid > 1 ? (DARKEST - LIGHTEST) / (solid - 1) : 0;
  const strength = Math.round(LIGHTEST + (place % MOST_SOLID) * step);
  return { strength, isStriped: Math.floor(place / MOST_SOLID) % 2 === 1 };
}

/** CSS background of a shade, in the colours of the theme. */
export function shadeStyle({ strength, isStriped }: Shade, colour: string): string {
  const fill = strength === undefined ? 'var(--line)' : `color-mix(in srgb, ${colour} ${strength}%, var(--paper))`;
  if (!isStriped) return fill;
  const stripe = strength === undefined ? 'var(--muted)' : colour;
  return `repeating-linear-gradient(135deg, ${fill} 0 3px, color-mix(in srgb, ${stripe} 60%, var(--paper)) 3px 4px)`;
}
