// What the OpenAPI description knows of one operation: data, written down once for each route.

import type { SchemaName } from './components.ts';

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const CSV_TYPE = 'text/csv';
export const JSON_LINES_TYPE = 'application/x-ndjson';
export const PARQUET_TYPE = 'application/vnd.apache.parquet';
export const ARROW_TYPE = 'application/vnd.apache.arrow.stream';
export const MSGPACK_TYPE = 'application/msgpack';

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description: string;
  readonly isRequired?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}

export interface Body {
  readonly schema: SchemaName;
  readonly description: string;
  /** By a short name. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** Also taken as application/msgpack. */
  readonly isMsgpack?: boolean;
  /** Also taken as a form. */
  readonly isForm?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly description: string;
  /** Absent: the body is empty, or not JSON. */
  readonly schema?: SchemaName;
  readonly example?: unknown;
  /** Media type of an answer that is not JSON. */
  readonly mediaType?: string;
  readonly isMsgpack?: boolean;
  /** Also given as rows, in JSON, CSV and JSON lines. */
  readonly isRows?: boolean;
  /** Also given as CSV. */
  readonly isCsv?: boolean;
  /** Names of headers in `HEADERS`. */
  readonly headers?: readonly string[];
}

export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `{dataset}`, `{tagname}`, `{annotation}`, `{view}` and `{file}` for its variable segments, as the router has it. */
  readonly path: string;
  readonly group: 'Datasets' | 'Tags' | 'Data' | 'Status' | 'Annotations' | 'Views' | 'Access' | 'Server';
  readonly summary: string;
  readonly description?: string;
  readonly isDeprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly body?: Body;
  readonly answers: readonly Answer[];
  /** Statuses of the problems that this operation may answer, besides 500. */
  readonly problems: readonly number[];
}
