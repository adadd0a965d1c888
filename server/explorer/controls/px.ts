// Lengths for style attributes, which take texts only.

/** Pixels of the screen; inside of the chart on paper, which has any width, the share that the style sheet gives one. */
export function px(length: number): string {
  return `calc(${length} * var(--px))`;
}
