// The start of an import: what a file is by its first part and by the flags, and the readers for it.

import type { LinePrecision } from './points/line-points.ts';
import type { Findings, PointReader, ReaderOptions } from './points/point-reader.ts';
import { CsvFault, type CsvRecord, type RecordStyle } from './recognise/csv-records.ts';
import type { FileForm, FormWishes } from './recognise/file-form.ts';
import type { Encoding } from './recognise/text-encoding.ts';

/** CSV, JSON lines, or line protocol. */
export const INPUTS = ['csv', 'jsonl', 'lines'] as const;
export type Input = (typeof INPUTS)[number];

export interface ImportWishes extends FormWishes {
  readonly input?: Input | undefined;
  /** How names of tags are made of lines of line protocol. */
  readonly lineTemplate?: string | undefined;
  readonly encoding?: Encoding | undefined;
  readonly prefix?: string | undefined;
  /** Which of two hours local times are of where no row tells it. */
  readonly twice?: 'first' | 'second' | undefined;
  /** Tags whose values are texts. */
  readonly texts: ReadonlySet<string>;
}

export interface OpenedFile {
  readonly encoding: Encoding;
  readonly input: Input;
  readonly style: RecordStyle;
  /** The precision of times in line protocol. */
  readonly precision?: LinePrecision;
  /** Undefined for the project's own form, and for line protocol. */
  readonly form: FileForm | undefined;
  /** The first ones. */
  readonly records: readonly CsvRecord[];
  /** What the first part tells; of a file within it, all that it tells. */
  readonly findings: Findings;
  /** True where the first part is the whole file. */
  readonly isWhole: boolean;
  /** How the file is read where later rows turn out not to be of the project's own form. */
  readonly otherwise?: OpenedFile;
  /** Goes by the kinds of values in the first part, unless other findings are given. */
  reader(options: ReaderOptions): PointReader;
}

export type MakeReader = OpenedFile['reader'];

/** What the first part of a file is, as text. */
export interface FilePart {
  readonly text: string;
  readonly encoding: Encoding;
  readonly isWhole: boolean;
}

/** The findings of the first part, and a reader that goes by the kinds of values among them. */
export function informed(make: MakeReader, records: readonly CsvRecord[]): Pick<OpenedFile, 'findings' | 'reader'> {
  const first = make({ takesUnsorted: true });
  faultsOf(first, records);
  const { kinds, stretches } = first.findings();
  return {
    findings: { kinds, stretches },
    reader: (options) => make({ ...options, findings: options.findings ?? { kinds, stretches: undefined } }),
  };
}

export function faultsOf(reader: PointReader, records: readonly CsvRecord[]): CsvFault[] {
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
