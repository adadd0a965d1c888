// What `--preview` prints: what the file was taken for, the first points as they would be stored, what is doubtful, and the
// command line that says the same.

import type { ImportWishes, OpenedFile } from './opened-file.ts';
import { CsvFault } from './recognise/csv-records.ts';
import type { FileForm } from './recognise/file-form.ts';

const SHOWN_POINTS = 10;
const SEPARATOR_WORDS: Record<string, string> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' };

/** Words of `--separator`, besides the sign itself. */
export function separatorOf(word: string): string | undefined {
  const named = Object.entries(SEPARATOR_WORDS).find(([, name]) => name === word);
  return named?.[0] ?? (word.length === 1 ? word : undefined);
}

export interface Preview {
  readonly lines: readonly string[];
  /** False where some of the first rows have a fault. */
  readonly isSound: boolean;
}

export function previewOf(path: string, opened: OpenedFile, wishes: ImportWishes): Preview {
  const { form } = opened;
  const { points, faults, isUnsorted, doubts } = firstPoints(opened);
  const lines = [
    `${path}: ${shownForm(opened)}, ${opened.encoding}.`,
    'The first points as they would be stored:',
    ...points.slice(0, SHOWN_POINTS).map((one) => `  ${one}`),
    ...(isUnsorted ? ['Rows are not in the order of time: they are sorted before they are sent.'] : []),
    ...(form?.doubts ?? []),
    ...doubts,
    ...faults.slice(0, SHOWN_POINTS),
    'The command line that says the same:',
    `  varve import ${shellWord(path)} ${flagsOf(opened, wishes).map(shellWord).join(' ')}`,
  ];
  return { lines, isSound: faults.length === 0 };
}

interface FirstPoints {
  readonly points: readonly string[];
  readonly faults: readonly string[];
  readonly isUnsorted: boolean;
  readonly doubts: readonly string[];
}

function firstPoints({ reader: open, records, findings }: OpenedFile): FirstPoints {
  const reader = open({ takesUnsorted: true, findings });
  const points: string[] = [];
  const faults: string[] = [];
  for (const record of records) {
    try {
      for (const { tag, time, value, quality = '192' } of reader.read(record))
        points.push(`${tag}  ${time}  ${value}  ${quality}`);
    } catch (fault) {
      if (!(fault instanceof CsvFault)) throw fault;
      faults.push(`line ${fault.line}: ${fault.message}`);
    }
  }
  reader.findings();
  return { points, faults, isUnsorted: reader.values.isUnsorted, doubts: reader.doubts };
}

function shownForm({ input, form, precision }: OpenedFile): string {
  if (input === 'lines') return `line protocol, times in ${precision}`;
  if (form === undefined) return 'the form of Varve itself';
  return input === 'jsonl' ? shownJson(form) : shownCsv(form);
}

function shownJson({ tagColumns, values, time }: FileForm): string {
  const layout = tagColumns === undefined ? `${values.length} tags by their keys` : 'a line for each point';
  return `JSON lines, ${layout}, times of the form ${time.form}`;
}

function shownCsv({ separator, time, tagColumns, values, decimal, hasHeader }: FileForm): string {
  const layout = layoutWords(tagColumns, values);
  const sign = decimal === ',' ? 'decimal comma' : 'decimal point';
  const header = hasHeader ? '' : ', no header';
  return `${layout}, separated by ${SEPARATOR_WORDS[separator] ?? separator}${header}, times of the form ${time.form}, ${sign}`;
}

function layoutWords(tagColumns: FileForm['tagColumns'], [first, ...others]: FileForm['values']): string {
  if (first?.ofDayMs !== undefined) return `a row for each day, ${others.length + 1} columns of times of day`;
  return tagColumns !== undefined && first?.tag === undefined
    ? 'a row for each point'
    : `${others.length + 1} columns of tags`;
}

/** All guesses as flags. */
export function flagsOf(
  opened: OpenedFile,
  { texts, zone, twice, prefix, tag, lineTemplate, nulls = new Set() }: ImportWishes,
): string[] {
  const flags = ['--encoding', opened.encoding, ...formFlags(opened)];
  const toldZone = zone ?? (opened.form?.isLocal === true ? opened.form.zone : undefined);
  if (toldZone !== undefined) flags.push('--tz', toldZone);
  if (twice !== undefined) flags.push('--twice', twice);
  if (prefix !== undefined) flags.push('--prefix', prefix);
  if (tag !== undefined) flags.push('--tag', tag);
  if (lineTemplate !== undefined) flags.push('--line-template', lineTemplate);
  for (const word of nulls) flags.push('--null', word);
  for (const text of texts) flags.push('--text', text);
  return flags;
}

function formFlags({ input, form, precision }: OpenedFile): string[] {
  if (input === 'lines') return ['--input', input, '--format', precision ?? 'ns'];
  if (form === undefined) return [];
  const { separator, time, columnWords, decimal, hasHeader, keys = [] } = form;
  const timeFlags = ['--format', time.form];
  if (input === 'jsonl')
    return [
      '--input',
      input,
      '--time',
      time.columns.map((column) => csvWord(keys[column] ?? '')).join(','),
      ...timeFlags,
    ];
  const flags = ['--separator', SEPARATOR_WORDS[separator] ?? separator, ...timeFlags];
  flags.push('--columns', columnWords.map((word) => csvWord(word)).join(','), '--decimal', decimal);
  return hasHeader ? flags : [...flags, '--no-header'];
}

function csvWord(word: string): string {
  return /[",]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word;
}

/** Quotes that a shell takes off again. */
function shellWord(word: string): string {
  return /^[\w./,:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
