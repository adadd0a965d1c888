// What the file of a view holds: one JSON document in three lines, of which the first guards the others by a checksum.
//
//     {"format":1,"crc":<CRC-32 of all that follows the line, its end included>,
//     "view":{…},
//     "content":{…}}

import { crc32 } from 'node:zlib';
import { createAjv } from '../api/validation/validate.ts';
import { VIEW_ID_FORM, VIEW_KINDS, type View, type ViewHead } from './view.ts';

/** In the data folder, and in a backup; no dataset's folder begins with a dot. */
export const VIEWS_FOLDER = '.views';

const FORMAT_VERSION = 1;
const FIRST_LINE = /^\{"format":(\d{1,9}),"crc":(\d{1,10}),\n$/;
/** Characters of the longest first line, and more. */
const MOST_FIRST_LINE_BYTES = 64;
const HEAD_START = '"view":';
const CONTENT_START = '"content":';
const END = '}\n';

const text = { type: 'string' };
export const HEAD_SCHEMA = {
  type: 'object',
  required: ['id', 'kind', 'name', 'folder', 'datasets', 'changed', 'revision'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: VIEW_ID_FORM.source },
    kind: { enum: VIEW_KINDS },
    name: text,
    folder: text,
    owner: text,
    datasets: { type: 'array', items: text },
    changed: text,
    revision: { type: 'integer', minimum: 1 },
  },
};

/** A file that holds no whole view; the message says why. */
export class ViewFileFault extends Error {}

export function formatViewFile({ head, content }: View): Buffer {
  const guarded = Buffer.from(`${HEAD_START}${JSON.stringify(head)},\n${CONTENT_START}${content}${END}`);
  return Buffer.concat([Buffer.from(`{"format":${FORMAT_VERSION},"crc":${crc32(guarded)},\n`), guarded]);
}

/** Throws a `ViewFileFault`. */
export function parseViewFile(bytes: Buffer, id: string): View {
  const firstEnd = bytes.subarray(0, MOST_FIRST_LINE_BYTES).indexOf('\n') + 1;
  const [, format, crc] = FIRST_LINE.exec(bytes.toString('latin1', 0, firstEnd)) ?? [];
  if (format === undefined) throw new ViewFileFault('it does not begin as the file of a view');
  if (Number(format) !== FORMAT_VERSION) {
    throw new ViewFileFault(`it has format ${format}; this program knows ${FORMAT_VERSION}`);
  }
  const guarded = bytes.subarray(firstEnd);
  if (crc32(guarded) !== Number(crc)) throw new ViewFileFault('it fails its checksum: it was cut off or changed');
  return parseGuarded(guarded.toString('utf8'), id);
}

function parseGuarded(guarded: string, id: string): View {
  const headEnd = guarded.indexOf(`,\n${CONTENT_START}`);
  const isWhole = guarded.startsWith(HEAD_START) && headEnd > 0 && guarded.endsWith(END);
  const head: unknown = isWhole ? JSON.parse(guarded.slice(HEAD_START.length, headEnd)) : undefined;
  if (!isHead(head)) throw new ViewFileFault('its lines are not those of a view');
  if (head.id !== id) throw new ViewFileFault(`it holds the view '${head.id}'; want the one that it is named after`);
  return { head, content: guarded.slice(headEnd + CONTENT_START.length + 2, -END.length) };
}

let validator: ((value: unknown) => boolean) | undefined;

function isHead(value: unknown): value is ViewHead {
  validator ??= createAjv('first fault').compile(HEAD_SCHEMA);
  return validator(value);
}
