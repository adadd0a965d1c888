// A file by its first part and by the flags: what it is, and the reader for it. CSV here, the others in `open-typed.ts`.

import { knownQuality } from '../../../client/foreign-quality.ts';
import { openTyped } from './open-typed.ts';
import {
  type FilePart,
  faultsOf,
  type ImportWishes,
  informed,
  type MakeReader,
  type OpenedFile,
} from './opened-file.ts';
import { HEADER_FORM } from './points/csv-columns.ts';
import { CsvPoints } from './points/csv-points.ts';
import { CsvRows } from './points/csv-rows.ts';
import { FormedPoints } from './points/formed-points.ts';
import type { PointReader } from './points/point-reader.ts';
import { CsvFault, type CsvRecord, sampleRecords } from './recognise/csv-records.ts';
import type { FileForm } from './recognise/file-form.ts';
import { guessForm } from './recognise/guess-form.ts';
import { guessEncoding } from './recognise/text-encoding.ts';

export const SAMPLE_BYTES = 256 * 1024;
const SAMPLE_RECORDS = 2000;
const NO_WORDS: ReadonlySet<string> = new Set();

/** Throws an `UnclearForm` or a `CsvFault`. */
export function openFile(sample: Uint8Array, isWhole: boolean, wishes: ImportWishes): OpenedFile {
  const encoding = wishes.encoding ?? guessEncoding(sample);
  const text = new TextDecoder(encoding).decode(sample, { stream: !isWhole });
  if (isWhole && text.trim() === '') throw new CsvFault(1, `the file is empty; want the header ${HEADER_FORM}`);
  const part = { text, encoding, isWhole };
  return openTyped(part, wishes) ?? openCsv(part, wishes);
}

function openCsv({ text, encoding, isWhole }: FilePart, wishes: ImportWishes): OpenedFile {
  const all = sampleRecords(text, isWhole);
  const records = all.slice(0, SAMPLE_RECORDS);
  const own: MakeReader = (options) => new CsvPoints(wishes.texts, options);
  const ownFaults = faultsOf(own({ takesUnsorted: true }), records);
  const form = isGiven(wishes) || !isHeaderOnly(records) ? formOf(records, wishes, ownFaults) : undefined;
  const common = { encoding, input: 'csv', style: 'csv', records, isWhole } as const;
  const asOwn = { ...common, form: undefined, ...informed(own, all) };
  if (form === undefined) return asOwn;
  const { texts, nulls = NO_WORDS, zone, twice, prefix = '' } = wishes;
  const formed: MakeReader = (options) =>
    new FormedPoints(form, new CsvRows(form), { ...options, texts, nulls, zone: zone ?? form.zone, twice, prefix });
  const asFormed = { ...common, form, ...informed(formed, all) };
  const isOwn = mayBeOwn(form, wishes, records) && readAlike(asOwn.reader, asFormed.reader, isWhole ? all : records);
  return isOwn ? { ...asOwn, otherwise: asFormed } : asFormed;
}

function isHeaderOnly(records: readonly CsvRecord[]): boolean {
  return records.length < 2 && faultsOf(new CsvPoints(new Set()), records).length === 0;
}

/** Undefined where the own reader has the better words about a file of its form. */
function formOf(
  records: readonly CsvRecord[],
  wishes: ImportWishes,
  ownFaults: readonly CsvFault[],
): FileForm | undefined {
  const form = guessForm(records, wishes, (text) => knownQuality(text) !== undefined);
  const [fault] = ownFaults;
  if (form !== undefined || fault === undefined || fault.line !== records[0]?.line) return form;
  throw new CsvFault(fault.line, `no column has times, and ${fault.message}`);
}

function isGiven({ encoding, texts, input, lineTemplate, ...others }: ImportWishes): boolean {
  return Object.values(others).some((wish) => wish !== undefined);
}

function mayBeOwn(form: FileForm, wishes: ImportWishes, records: readonly CsvRecord[]): boolean {
  if (isGiven(wishes) || form.isLocal || form.doubts.some((doubt) => doubt.startsWith('Columns'))) return false;
  return form.hasHeader && form.header === records[0]?.text;
}

/** Whether both readers mean the same by the file; the own one then keeps its rules for blanks and quotes. */
function readAlike(own: MakeReader, formed: MakeReader, records: readonly CsvRecord[]): boolean {
  const [first, second] = [own({ takesUnsorted: true }), formed({ takesUnsorted: true })];
  return records.every((record) => shownPoints(first, record) === shownPoints(second, record));
}

/** A row that the own reader refuses and the other one takes is of the other form. */
function shownPoints(reader: PointReader, record: CsvRecord): string {
  try {
    return JSON.stringify(reader.read(record).map(({ tag, time, value, quality }) => [tag, time, value, quality]));
  } catch (fault) {
    if (fault instanceof CsvFault) return 'fault';
    throw fault;
  }
}
