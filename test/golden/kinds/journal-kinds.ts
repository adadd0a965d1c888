// Walks the operations of a journal's records.

import { ByteReader } from '../../../engine/format/bytes/byte-cursors.ts';
import { decodeHeader, JOURNAL_HEADER, JOURNAL_MAGIC } from '../../../engine/format/bytes/file-headers.ts';
import { decodeDefinition } from '../../../engine/format/record/definition-codec.ts';
import { Operation } from '../../../engine/format/record/journal-record.ts';
import { decimalsOf, PLAIN } from '../../../engine/format/record/plain-words.ts';
import { RunDecoder } from '../../../engine/format/record/run-decoder.ts';
import { PointColumns } from '../../../engine/index.ts';
import { withoutRoom } from '../packed-forms.ts';
import { seeDefinition } from './catalog-kinds.ts';
import { eachFrame } from './frames.ts';
import type { SeenKinds } from './kinds.ts';

/** Place of the size of words in a coding. */
const SIZE_SHIFT = 4;
const SIZE_BITS = 7;

const points = new PointColumns(1024);

export function seeJournal(seen: SeenKinds, written: Uint8Array): void {
  const bytes = withoutRoom(Buffer.from(written));
  const reader = new ByteReader(bytes);
  const header = decodeHeader(reader, JOURNAL_HEADER, JOURNAL_MAGIC);
  seen.see('layout', JOURNAL_HEADER.name);
  for (const { payload } of eachFrame(seen, bytes, reader.offset, header.identity)) {
    const operations = new ByteReader(payload);
    while (operations.remaining > 0) seeOperation(seen, operations);
  }
}

function seeOperation(seen: SeenKinds, reader: ByteReader): void {
  const operation = reader.u8();
  seen.see('operation', operation);
  switch (operation) {
    case Operation.Define:
      reader.varint();
      seeDefinition(seen, decodeDefinition(reader));
      break;
    case Operation.Delete:
      for (let left = reader.varint(); left > 0; left--) reader.varint();
      break;
    case Operation.DeletePoints:
      for (let left = 3 * reader.varint(); left > 0; left--) reader.varint();
      break;
    default:
      seeRuns(seen, reader);
  }
}

function seeRuns(seen: SeenKinds, reader: ByteReader): void {
  const runs = new RunDecoder(reader);
  for (let left = reader.varint(); left > 0; left--) {
    seen.seeFlags('runFlag', reader.bytes[reader.offset] as number);
    const { type, coding, count } = runs.run(points);
    seen.see('runType', type);
    if (coding < PLAIN) seen.see('runCoding', coding);
    else {
      seen.see('plainDecimals', decimalsOf(coding));
      if (count > 1) seen.see('plainWords', (coding >> SIZE_SHIFT) & SIZE_BITS);
    }
  }
}
