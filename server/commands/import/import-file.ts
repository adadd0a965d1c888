// One import: the whole file is checked, then sent. From standard input, which comes only once, it is checked as it is sent.

import { createReadStream } from 'node:fs';
import { CsvPoints, HEADER_FORM, type UnknownQualities } from './csv-points.ts';
import { CsvFault, readRecords } from './csv-records.ts';
import { PointBatch } from './point-batch.ts';
import type { PointSender } from './point-sender.ts';

export interface ImportSource {
  /** `-` is standard input. */
  readonly path: string;
  /** Tags whose values are texts. */
  readonly texts: ReadonlySet<string>;
  readonly stop: AbortSignal;
  /** Called with the bytes read of the file, slice by slice. */
  readonly onRead: (bytes: number) => void;
}

export interface FileContent {
  readonly tagCount: number;
  readonly unknownQualities: UnknownQualities;
}

export interface FileCheck extends FileContent {
  readonly pointCount: number;
  readonly faultCount: number;
  /** The first of them. */
  readonly faults: readonly CsvFault[];
}

const SLICE_BYTES = 256 * 1024;
const KEPT_FAULTS = 20;

/** Reads all of it; a fault of one row does not hide those of others. */
export async function checkFile(source: ImportSource): Promise<FileCheck> {
  const points = new CsvPoints(source.texts);
  const faults: CsvFault[] = [];
  let pointCount = 0;
  let faultCount = 0;
  const note = (fault: unknown): void => {
    if (!(fault instanceof CsvFault)) throw fault;
    if (faultCount++ < KEPT_FAULTS) faults.push(fault);
  };
  const outcome = (): FileCheck => {
    const { tagCount, unknownQualities } = points;
    return { pointCount, tagCount, unknownQualities, faultCount, faults };
  };
  try {
    for await (const records of readRecords(readSlices(source))) {
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

/** Gives what was in the file. Throws a `CsvFault` at the first faulty row; what stands before it is sent. */
export async function sendFile(source: ImportSource, sender: PointSender): Promise<FileContent> {
  const points = new CsvPoints(source.texts);
  let batch = new PointBatch();
  const flush = async (): Promise<void> => {
    if (batch.pointCount > 0) await sender.send(batch);
    batch = new PointBatch();
  };
  try {
    for await (const records of readRecords(readSlices(source))) {
      for (const record of records) {
        for (const point of points.read(record)) batch.add(point);
        if (batch.isFull) await flush();
      }
    }
    requireHeader(points);
  } catch (fault) {
    if (fault instanceof CsvFault) await flush();
    throw fault;
  }
  await flush();
  return { tagCount: points.tagCount, unknownQualities: points.unknownQualities };
}

function requireHeader(points: CsvPoints): void {
  if (!points.hasHeader) throw new CsvFault(1, `the file is empty; want the header ${HEADER_FORM}`);
}

async function* readSlices({ path, stop, onRead }: ImportSource): AsyncGenerator<Uint8Array> {
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: SLICE_BYTES });
  for await (const slice of stream as AsyncIterable<Buffer>) {
    stop.throwIfAborted();
    onRead(slice.length);
    yield slice;
  }
}
