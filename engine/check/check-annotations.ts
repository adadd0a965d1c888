// Checks the file of annotations: its header, and that every record can be read.

import { type AnnotationEntry, readAnnotations } from '../annotations/annotation-reader.ts';
import { EngineError } from '../errors.ts';
import { ANNOTATIONS_FILE } from '../filenames.ts';
import { ByteReader } from '../format/bytes/byte-cursors.ts';
import { ANNOTATIONS_HEADER, ANNOTATIONS_MAGIC, decodeHeader } from '../format/bytes/file-headers.ts';
import type { Vfs } from '../io/vfs.ts';
import { readWholeFile } from '../io/whole-file.ts';
import type { CheckLog } from './check-log.ts';

/** `prefix` is put before the path in the findings. A dataset without annotations has no such file. */
export function checkAnnotations(log: CheckLog, vfs: Vfs, folder: string, prefix: string): void {
  if (!vfs.statSync(`${folder}/${ANNOTATIONS_FILE}`)) return;
  const bytes = readWholeFile(vfs, `${folder}/${ANNOTATIONS_FILE}`);
  const path = prefix + ANNOTATIONS_FILE;
  try {
    const { entries } = readAnnotations(bytes);
    checkEntries(log, path, entries);
    decodeHeader(new ByteReader(bytes), ANNOTATIONS_HEADER, ANNOTATIONS_MAGIC);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
    log.report('error', path, error.message, 0);
  }
}

function checkEntries(log: CheckLog, path: string, entries: Iterable<AnnotationEntry>): void {
  let last = 0;
  for (const entry of entries) {
    if (entry.kind === 'record') {
      if (entry.sequence <= last) log.report('error', path, `record ${entry.sequence} follows record ${last}`);
      last = entry.sequence;
      continue;
    }
    const { place, offset, bytes, reason } = entry.damage;
    if (place === 'middle') log.report('error', path, `${bytes} bytes cannot be read: ${reason}`, offset);
    else log.report('warn', path, `ends with ${bytes} bytes of a record that was not finished: ${reason}`, offset);
  }
}
