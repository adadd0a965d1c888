// Files whose values say of which kind they are: JSON lines and line protocol.

import { knownQuality } from '../../../client/foreign-quality.ts';
import { DEFAULT_LINE_TEMPLATE, type LineTemplate, parseLineTemplate } from '../../settings/line-template.ts';
import { type FilePart, type ImportWishes, informed, type MakeReader, type OpenedFile } from './opened-file.ts';
import { FormedPoints } from './points/formed-points.ts';
import { JsonRows } from './points/json-rows.ts';
import { areLines, guessPrecision, LINE_PRECISIONS, LinePoints } from './points/line-points.ts';
import { CsvFault, type CsvRecord, sampleRecords } from './recognise/csv-records.ts';
import { UnclearForm } from './recognise/file-form.ts';
import { guessJsonForm } from './recognise/json-form.ts';
import { isJsonLine } from './recognise/json-lines.ts';

const SAMPLE_RECORDS = 2000;
const NO_WORDS: ReadonlySet<string> = new Set();

/** Undefined for a file with columns. Throws an `UnclearForm` or a `CsvFault`. */
export function openTyped(part: FilePart, wishes: ImportWishes): OpenedFile | undefined {
  const { input } = wishes;
  const template = parseLineTemplate(wishes.lineTemplate ?? DEFAULT_LINE_TEMPLATE);
  if (input === 'csv') return undefined;
  const records = sampleRecords(part.text, part.isWhole, 'lines');
  const [first] = records;
  if (input === 'jsonl' || (input === undefined && isJsonLine(first?.text ?? '')))
    return openJson(part, records, wishes);
  if (input === undefined && /^\uFEFF?\s*\[\s*(\{|$)/.test(first?.text ?? ''))
    throw new CsvFault(1, 'the file is an array of JSON; want JSON lines, an object in each line (jq -c ".[]")');
  if (input === 'lines' || areLines(records, template)) return openLines(part, records, { ...wishes, template });
  return undefined;
}

function openJson({ encoding, isWhole }: FilePart, all: readonly CsvRecord[], wishes: ImportWishes): OpenedFile {
  const records = all.slice(0, SAMPLE_RECORDS);
  const form = guessJsonForm(records, wishes, (text) => knownQuality(text) !== undefined);
  const { texts, nulls = NO_WORDS, zone, twice, prefix = '' } = wishes;
  const make: MakeReader = (options) =>
    new FormedPoints(form, new JsonRows(form), { ...options, texts, nulls, zone, twice, prefix });
  return { encoding, input: 'jsonl', style: 'lines', form, records, isWhole, ...informed(make, all) };
}

type LineWishes = ImportWishes & { readonly template: LineTemplate };

function openLines({ encoding, isWhole }: FilePart, all: readonly CsvRecord[], wishes: LineWishes): OpenedFile {
  const { form, template, prefix = '' } = wishes;
  const said = LINE_PRECISIONS.find((one) => one === form);
  if (form !== undefined && said === undefined)
    throw new UnclearForm(`--format ${LINE_PRECISIONS.join(' or ')}`, 'Times in line protocol are counts since 1970.');
  const precision = said ?? guessPrecision(all);
  const make: MakeReader = (options) => new LinePoints({ ...options, precision, template, prefix });
  const records = all.slice(0, SAMPLE_RECORDS);
  const common = { encoding, input: 'lines', style: 'lines', form: undefined, precision } as const;
  return { ...common, records, isWhole, ...informed(make, all) };
}
