// A number as people type it.

/** With a decimal point or comma: `62.5`, `62,5`. Undefined for an empty text and for what is no number. */
export function parseNumber(text: string): number | undefined {
  const value = Number(/^[^.,]*,[^.,]*$/.test(text) ? text.replace(',', '.') : text);
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}
