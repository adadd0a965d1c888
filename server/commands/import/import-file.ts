// One import: the whole file is checked, then sent. From standard input, which comes only once, it is checked as it is sent.

import { openFile, SAMPLE_BYTES } from './open-file.ts';
import type { ImportWishes, OpenedFile } from './opened-file.ts';
import { PointBatch } from './point-batch.ts';
import type { PointSender } from './point-sender.ts';
import { HEADER_FORM } from './points/csv-columns.ts';
import type { CsvPoint, Findings, PointReader, UnknownQualities } from './points/point-reader.ts';
import { CsvFault, type CsvRecord, readRecords } from './recognise/csv-records.ts';
import { SortedPoints } from './sorted-points.ts';
import { type ByteSource, readSlices } from './source-bytes.ts';

export interface ImportSource extends ByteSource {
  readonly wishes: ImportWishes;
}

export interface FileContent {
  readonly tagCount: number;
  readonly unknownQualities: UnknownQualities;
  /** Sentences about what was read by a rule that the user may want otherwise. */
  readonly doubts: readonly string[];
}

export interface FileCheck extends FileContent {
  readonly pointCount: number;
  readonly faultCount: number;
  /** The first of them. */
  readonly faults: readonly CsvFault[];
  readonly isUnsorted: boolean;
  readonly findings: Findings;
  /** How the file has to be read: as it was opened, or otherwise. */
  readonly opened: OpenedSource;
}

export interface OpenedSource extends OpenedFile {
  /** The bytes from the start on. */
  slices(): AsyncIterable<Uint8Array>;
  /** True for what can be read once only: standard input that is longer than its first part. */
  readonly isOnePass: boolean;
}

export interface SendOptions {
  /** Takes the faults of rows, which are then left out; the first one ends the import otherwise. */
  readonly onReject?: ((fault: CsvFault) => void) | undefined;
  /** Whether the points are put in order before they are sent. */
  readonly sorts?: boolean;
  /** What the check found; undefined for rows that come only once. */
  readonly findings?: Findings | undefined;
  /** Points up to this line were sent before, and are not sent again. */
  readonly afterLine?: number;
}

const KEPT_FAULTS = 20;
/** Reads the first part. Throws an `UnclearForm` where a flag has to say what the file is. */
export async function openSource(source: ImportSource): Promise<OpenedSource> {
  const stream = readSlices(source)[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  let isWhole = false;
  while (!isWhole && sizeBytes < SAMPLE_BYTES) {
    const { value, done } = await stream.next();
    if (done) isWhole = true;
    else {
      parts.push(value);
      sizeBytes += value.length;
    }
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* parts;
    for (let next = await stream.next(); !next.done; next = await stream.next()) yield next.value;
  }
  if (source.path !== '-') await stream.return?.(undefined);
  const opened = openFile(Buffer.concat(parts), isWhole, source.wishes);
  const isStream = source.path === '-';
  return { ...opened, slices: isStream ? all : () => readSlices(source), isOnePass: isStream && !isWhole };
}

/**
 * Reads all of it; a fault of one row does not hide those of others. It is read once more where later rows tell how earlier ones
 * have to be read: `onPass` is called before each time.
 */
export async function checkFile(opened: OpenedSource, onPass: () => void = () => {}): Promise<FileCheck> {
  let source = opened;
  let findings: Findings | undefined;
  for (;;) {
    onPass();
    const { isOnePass } = source;
    const reader = source.reader({ takesUnsorted: true, findings, isOnePass });
    const counted = await readThrough(source, reader);
    const { isFinal, ...found } = reader.findings();
    if (reader.isOtherForm && source.otherwise !== undefined && !isOnePass) source = { ...opened, ...source.otherwise };
    else if (isFinal || isOnePass) return { ...counted, ...contentOf(reader), findings: found, opened: source };
    else findings = found;
  }
}

type Counted = Pick<FileCheck, 'pointCount' | 'faultCount' | 'faults' | 'isUnsorted'>;

async function readThrough(source: OpenedSource, points: PointReader): Promise<Counted> {
  const faults: CsvFault[] = [];
  let pointCount = 0;
  let faultCount = 0;
  const note = (fault: unknown): void => {
    if (!(fault instanceof CsvFault)) throw fault;
    if (faultCount++ < KEPT_FAULTS) faults.push(fault);
  };
  const outcome = (): Counted => {
    const { isUnsorted, missedCount } = points.values;
    return { pointCount: pointCount + missedCount, isUnsorted, faultCount, faults };
  };
  try {
    for await (const records of readRecords(source.slices(), source.encoding, source.style)) {
      for (const record of records) {
        try {
          pointCount += points.read(record).length;
        } catch (fault) {
          note(fault);
          // Without a header no row can be understood.
          if (!points.hasHeader) return outcome();
        }
      }
    }
    requireHeader(points);
  } catch (fault) {
    note(fault);
  }
  return outcome();
}

function contentOf({ values, doubts }: PointReader): FileContent {
  const { tagCount, unknownQualities } = values;
  return { tagCount, unknownQualities, doubts };
}

/**
 * Gives what was in the file. Throws a `CsvFault` at the first faulty row that nobody takes; what stands before it is sent,
 * unless it is sorted.
 */
export async function sendFile(
  opened: OpenedSource,
  sender: Pick<PointSender, 'send'>,
  options: SendOptions = {},
): Promise<FileContent> {
  const { onReject, sorts = false, findings, afterLine = 0 } = options;
  const { isOnePass } = opened;
  const points = opened.reader({ takesUnsorted: sorts, findings: findings ?? wholeFindings(opened), isOnePass });
  const sorted = new SortedPoints();
  let batch = new PointBatch();
  const flush = async (): Promise<void> => {
    if (batch.pointCount > 0) await sender.send(batch);
    batch = new PointBatch();
  };
  try {
    for await (const records of readRecords(opened.slices(), opened.encoding, opened.style)) {
      for (const record of records) {
        const found = readOrReject(points, record, onReject, afterLine);
        if (record.line <= afterLine) continue;
        if (!sorts) for (const point of found) batch.add(point);
        else for (const point of found) sorted.add(point);
        if (batch.isFull) await flush();
      }
    }
    requireHeader(points);
    for await (const point of sorted.inOrder()) {
      batch.add(point);
      if (batch.isFull) await flush();
    }
  } catch (fault) {
    if (fault instanceof CsvFault) await flush();
    throw fault;
  } finally {
    sorted.close();
  }
  await flush();
  points.findings();
  return contentOf(points);
}

function wholeFindings({ isWhole, findings }: OpenedSource): Findings | undefined {
  return isWhole ? findings : undefined;
}

function readOrReject(
  points: PointReader,
  record: CsvRecord,
  onReject: SendOptions['onReject'],
  afterLine: number,
): CsvPoint[] {
  try {
    return points.read(record);
  } catch (fault) {
    if (!(fault instanceof CsvFault) || onReject === undefined || !points.hasHeader) throw fault;
    if (record.line > afterLine) onReject(fault);
    return [];
  }
}

function requireHeader(points: PointReader): void {
  if (!points.hasHeader) throw new CsvFault(1, `the file is empty; want the header ${HEADER_FORM}`);
}
