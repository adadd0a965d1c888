// The start of an import: the first part of a file, what it is by that and by the flags, and the reader for it.

import { knownQuality } from '../../../client/foreign-quality.ts';
import { CsvPoints, type CsvPointsOptions, type PointReader } from './csv-points.ts';
import { FormedPoints } from './formed-points.ts';
import { CsvFault, type CsvRecord, sampleRecords } from './recognise/csv-records.ts';
import type { FileForm, FormWishes } from './recognise/file-form.ts';
import { guessForm } from './recognise/guess-form.ts';
import { type Encoding, guessEncoding } from './recognise/text-encoding.ts';

export interface ImportWishes extends FormWishes {
  readonly encoding?: Encoding | undefined;
  readonly prefix?: string | undefined;
  /** Tags whose values are texts. */
  readonly texts: ReadonlySet<string>;
}

export interface OpenedFile {
  readonly encoding: Encoding;
  /** Undefined for the project's own form. */
  readonly form: FileForm | undefined;
  readonly records: readonly CsvRecord[];
  reader(options: CsvPointsOptions): PointReader;
}

export const SAMPLE_BYTES = 256 * 1024;
const SAMPLE_RECORDS = 2000;
const NO_WORDS: ReadonlySet<string> = new Set();

/** Throws an `UnclearForm` or a `CsvFault`. */
export function openFile(sample: Uint8Array, isWhole: boolean, wishes: ImportWishes): OpenedFile {
  const encoding = wishes.encoding ?? guessEncoding(sample);
  const text = new TextDecoder(encoding).decode(sample, { stream: !isWhole });
  const records = sampleRecords(text, isWhole).slice(0, SAMPLE_RECORDS);
  const own = (options: CsvPointsOptions): PointReader => new CsvPoints(wishes.texts, options);
  const ownFaults = faultsOf(own({ takesUnsorted: true }), records);
  const form = isGiven(wishes) || !isHeaderOnly(records) ? formOf(records, wishes, ownFaults) : undefined;
  if (form === undefined) return { encoding, form, records, reader: own };
  const { texts, nulls = NO_WORDS, zone, prefix = '' } = wishes;
  const formed = (options: CsvPointsOptions): PointReader =>
    new FormedPoints(form, { ...options, texts, nulls, zone, prefix });
  const isOwn = mayBeOwn(form, wishes, records) && readAlike(own, formed, records);
  return isOwn ? { encoding, form: undefined, records, reader: own } : { encoding, form, records, reader: formed };
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

function isGiven({ encoding, texts, ...others }: ImportWishes): boolean {
  return Object.values(others).some((wish) => wish !== undefined);
}

function mayBeOwn(form: FileForm, wishes: ImportWishes, records: readonly CsvRecord[]): boolean {
  if (isGiven(wishes) || form.isLocal || form.doubts.some((doubt) => doubt.startsWith('Columns'))) return false;
  return form.hasHeader && form.header === records[0]?.text;
}

/** Whether both readers mean the same by the file; the own one then keeps its rules for blanks and quotes. */
function readAlike(own: OpenedFile['reader'], formed: OpenedFile['reader'], records: readonly CsvRecord[]): boolean {
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

function faultsOf(reader: PointReader, records: readonly CsvRecord[]): CsvFault[] {
  const faults: CsvFault[] = [];
  for (const record of records) {
    try {
      reader.read(record);
    } catch (fault) {
      if (!(fault instanceof CsvFault)) throw fault;
      faults.push(fault);
      if (!reader.hasHeader) break;
    }
  }
  return faults;
}
