// What rows are sent as: the writer and the headers of each kind.

import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { HeaderList } from '../../http/contract/http-server.ts';
import { JSON_HEADER } from '../answer/answers.ts';
import type { CsvStyle } from '../request/csv-style.ts';
import { ARROW_HEADER, CSV_HEADER, JSON_LINES_HEADER, PARQUET_HEADER } from '../request/media-type.ts';
import { CsvRows } from './csv-rows.ts';
import { JsonLines, JsonRows } from './json-rows.ts';
import type { CellStyle, RowWriter } from './row-writer.ts';

export type RowMedia = 'json' | 'csv' | 'jsonl';

const CONTENT_TYPES = {
  json: JSON_HEADER,
  csv: CSV_HEADER,
  jsonl: JSON_LINES_HEADER,
  parquet: PARQUET_HEADER,
  arrow: ARROW_HEADER,
} as const;
/** What a stream of Arrow is called; a file of it has an index behind, and another ending. */
const ENDINGS = { csv: 'csv', jsonl: 'jsonl', parquet: 'parquet', arrow: 'arrows' } as const;
/** What a file name in quotes holds in every client; others are given behind it, in UTF-8. */
const UNSAFE_IN_NAME = /[^A-Za-z0-9._ -]/g;

export function createRowWriter(media: RowMedia, out: OutputBytes, style: CellStyle, csv: CsvStyle): RowWriter {
  if (media === 'csv') return new CsvRows(out, style, csv);
  return media === 'jsonl' ? new JsonLines(out, style) : new JsonRows(out, style);
}

/** All but JSON, which is for programs, are files of the dataset's name. */
export function rowHeaders(media: RowMedia | 'parquet' | 'arrow', dataset: string): HeaderList {
  const type = CONTENT_TYPES[media];
  if (media === 'json') return [type];
  const name = `${dataset}.${ENDINGS[media]}`.toWellFormed();
  const escaped = encodeURIComponent(name).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const plain = name.replace(UNSAFE_IN_NAME, '_');
  return [type, ['Content-Disposition', `attachment; filename="${plain}"; filename*=UTF-8''${escaped}`]];
}
