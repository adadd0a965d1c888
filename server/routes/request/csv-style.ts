// How lines of CSV look: what stands between cells, the decimal sign, and whether texts may be formulas.

export const SEPARATORS = { ',': ',', ';': ';', '|': '|', '\t': '\t', tab: '\t' } as const;

export interface CsvStyle {
  readonly separator: ',' | ';' | '|' | '\t';
  readonly decimal: '.' | ',';
  /** Texts that a spreadsheet would compute get an apostrophe in front, which makes them texts there. */
  readonly escapeFormulas: boolean;
}

export const DEFAULT_CSV_STYLE: CsvStyle = { separator: ',', decimal: '.', escapeFormulas: false };

/** White space at an end as well: some who read CSV leave it out otherwise. */
const NEEDS_QUOTES = {
  ',': /[",\r\n]|^\s|\s$/,
  ';': /[";\r\n]|^\s|\s$/,
  '|': /["|\r\n]|^\s|\s$/,
  '\t': /["\t\r\n]|^\s|\s$/,
} as const;

/** What spreadsheets take for a formula at the beginning of a cell, also in quotes or with a wide character of East Asia. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** By `split`: of very many quotes `replaceAll` makes a text of very many pieces, which takes three times as long. */
export function csvText(text: string, { separator, escapeFormulas }: CsvStyle): string {
  const shown = escapeFormulas && FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES[separator].test(shown) ? `"${shown.split('"').join('""')}"` : shown;
}
