// How lines of CSV are asked for: separator, decimal sign, and what is done with formulas in texts.

import { badParameter, oneOf } from '../../api/validation/bad-parameter.ts';
import { type CsvStyle, DEFAULT_CSV_STYLE, SEPARATORS } from './csv-style.ts';

export const CSV_PARAMETER_NAMES = ['separator', 'decimal', 'escapeFormulas'] as const;

/** The parameters as texts. Undefined: not given. */
export type CsvForm = Readonly<Record<(typeof CSV_PARAMETER_NAMES)[number], string | undefined>>;

export function toCsvForm(textOf: (name: string) => string | undefined): CsvForm {
  const [separator, decimal, escapeFormulas] = CSV_PARAMETER_NAMES.map(textOf);
  return { separator, decimal, escapeFormulas };
}

/** Throws a 400 for what is not as it should be, and for parameters of CSV where CSV is not asked for by name. */
export function resolveCsvStyle(form: CsvForm, isCsv: boolean): CsvStyle {
  const given = CSV_PARAMETER_NAMES.find((name) => form[name] !== undefined);
  if (given === undefined) return DEFAULT_CSV_STYLE;
  if (!isCsv) throw badParameter(`'${given}' needs format=csv, or format=wide with as=csv.`);
  const separator = parseSeparator(form.separator);
  const decimal = oneOf('decimal', form.decimal, ['.', ',']) ?? DEFAULT_CSV_STYLE.decimal;
  if (separator === decimal) {
    throw badParameter(`'decimal=,' needs a separator that is not a comma: separator=; (in an address %3B) is usual.`);
  }
  const escapeFormulas = oneOf('escapeFormulas', form.escapeFormulas, ['true', 'false']) === 'true';
  return { separator, decimal, escapeFormulas };
}

function parseSeparator(text: string | undefined): CsvStyle['separator'] {
  if (text === undefined) return DEFAULT_CSV_STYLE.separator;
  if (Object.hasOwn(SEPARATORS, text)) return SEPARATORS[text as keyof typeof SEPARATORS];
  throw badParameter(`'separator' is '${text.slice(0, 100)}'; want one of , ; | and tab.`);
}
