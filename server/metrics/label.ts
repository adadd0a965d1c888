// Values of labels in the text form of Prometheus.

/** Escapes what stands between the quotes of a label. */
export function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
