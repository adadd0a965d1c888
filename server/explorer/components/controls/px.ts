// Lengths for style attributes, which take texts only.

export function px(length: number): string {
  return `${length}px`;
}
