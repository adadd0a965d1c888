// Which of the two formats of data a request is in, and which its answer should be in.

import type { HttpRequest } from '../../http/contract/http-server.ts';

export type DataFormat = 'json' | 'msgpack';

export const MSGPACK_HEADER = ['Content-Type', 'application/msgpack'] as const;

const MSGPACK_TYPES = new Set(['application/msgpack', 'application/x-msgpack', 'application/vnd.msgpack']);
export const JSON_LINES_HEADER = ['Content-Type', 'application/x-ndjson'] as const;
export const PARQUET_HEADER = ['Content-Type', 'application/vnd.apache.parquet'] as const;
export const ARROW_HEADER = ['Content-Type', 'application/vnd.apache.arrow.stream'] as const;
export const CSV_HEADER = ['Content-Type', 'text/csv; charset=utf-8'] as const;

const CSV_TYPES = new Set(['text/csv']);
const JSON_TYPES = new Set(['application/json', 'application/*', '*/*']);

/** Everything that is not declared as msgpack is read as JSON: many a client declares nothing, or something else. */
export function bodyFormat(request: HttpRequest): DataFormat {
  const declared = request.header('content-type');
  if (declared === undefined || declared === 'application/json') return 'json';
  const [type = ''] = declared.split(';');
  return MSGPACK_TYPES.has(type.trim().toLowerCase()) ? 'msgpack' : 'json';
}

/** msgpack when it is asked for by name, and liked at least as much as JSON. */
export function answerFormat(request: HttpRequest): DataFormat {
  const accept = request.header('accept') ?? '';
  const msgpackWeight = weightOf(accept, MSGPACK_TYPES);
  return msgpackWeight > 0 && msgpackWeight >= weightOf(accept, JSON_TYPES) ? 'msgpack' : 'json';
}

/** CSV when it is asked for by name, and liked better than JSON. */
export function prefersCsv(request: HttpRequest): boolean {
  const accept = request.header('accept') ?? '';
  return weightOf(accept, CSV_TYPES) > weightOf(accept, JSON_TYPES);
}

function weightOf(accept: string, types: ReadonlySet<string>): number {
  let weight = 0;
  for (const item of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = item.split(';').map((part) => part.trim());
    if (!types.has(type)) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weight = Math.max(weight, quality === undefined ? 1 : Number(quality) || 0);
  }
  return weight;
}
