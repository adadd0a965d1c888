// The flags of an import that say what a file is, in place of the guesses.

import { findTimeZone } from '../../routes/request/time-zone.ts';
import { parseLineTemplate } from '../../settings/line-template.ts';
import { UsageError } from '../../settings/read-settings.ts';
import { SettingFault } from '../../settings/setting-kinds.ts';
import { type ImportWishes, INPUTS } from './opened-file.ts';
import { separatorOf } from './preview.ts';
import { TIME_FORMS } from './recognise/clock-times.ts';
import { splitFields } from './recognise/csv-records.ts';
import { ENCODINGS } from './recognise/text-encoding.ts';

export const WISH_FLAGS = [
  'input',
  'line-template',
  'text',
  'encoding',
  'separator',
  'time',
  'format',
  'tz',
  'twice',
  'columns',
  'decimal',
  'null',
  'prefix',
  'tag',
];

/** Throws a `UsageError`. */
export function readWishes(values: ReadonlyMap<string, readonly string[]>): ImportWishes {
  const last = (name: string): string | undefined => values.get(name)?.at(-1);
  const separator = last('separator');
  const zone = last('tz');
  const sign = separator === undefined ? undefined : separatorOf(separator);
  if (separator !== undefined && sign === undefined)
    throw new UsageError(`--separator: got '${separator}'; want comma, semicolon, tab, pipe, or one sign.`);
  if (zone !== undefined && findTimeZone(zone) === undefined)
    throw new UsageError(`--tz: got '${zone}'; want the name of a time zone such as Europe/Berlin, or UTC.`);
  return {
    texts: new Set(values.get('text')),
    input: oneOf('input', last('input'), INPUTS),
    lineTemplate: templateOf(last('line-template')),
    encoding: oneOf('encoding', last('encoding')?.toLowerCase(), ENCODINGS),
    separator: sign,
    time: namesOf(last('time')),
    form: oneOf('format', last('format'), TIME_FORMS),
    zone,
    twice: oneOf('twice', last('twice'), ['first', 'second'] as const),
    columns: namesOf(last('columns')),
    isHeaderless: values.has('no-header') ? true : undefined,
    decimal: oneOf('decimal', last('decimal'), ['.', ','] as const),
    nulls: values.has('null') ? new Set(values.get('null')) : undefined,
    prefix: last('prefix'),
    tag: last('tag'),
  };
}

/** Checked here, where the flag can be named. */
function templateOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    parseLineTemplate(text);
    return text;
  } catch (error) {
    if (error instanceof SettingFault) throw new UsageError(`--line-template: got '${text}'; want ${error.message}.`);
    throw error;
  }
}

function oneOf<T extends string>(flag: string, word: string | undefined, known: readonly T[]): T | undefined {
  if (word === undefined) return undefined;
  const found = known.find((one) => one === word);
  if (found === undefined) throw new UsageError(`--${flag}: got '${word}'; want ${known.join(' or ')}.`);
  return found;
}

/** Names with a comma are in quotes, as in a file. */
function namesOf(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : splitFields({ line: 1, text }, ',').texts;
}
