// A workbook that is written row by row, packed as it grows: it may have more rows than a sheet, and more text than fits into a
// string.

import { Zip, ZipDeflate } from 'fflate';
import { type Cell, MOST_SHEET_ROWS, rowXml, SHEET_FOOT, sheetHead, workbookParts } from './xlsx-parts.ts';

/** Characters that are packed at once. */
const PACKED_AT_ONCE = 65_536;
/** Fast: the file is about a tenth larger than the smallest. */
const LEVEL = 3;

export interface SheetForm {
  /** At most 31 characters, without `[]:*?/\`. */
  readonly name: string;
  /** In characters. */
  readonly widths: readonly number[];
  readonly head: readonly string[];
}

export interface XlsxFile {
  /** The next rows are of this sheet; where one is full, another one goes on. */
  begin(sheet: SheetForm): void;
  add(cells: readonly Cell[]): void;
  /** Nothing can be added then. */
  end(): Blob;
}

export function createXlsxFile(mostRows = MOST_SHEET_ROWS): XlsxFile {
  const packed: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    packed.push(bytes as Uint8Array<ArrayBuffer>);
  });
  const names: string[] = [];
  let form: SheetForm | undefined;
  let part: ZipDeflate | undefined;
  let waiting = '';
  let rows = 0;

  const flush = (last: 'more' | 'last'): void => {
    part?.push(encoder.encode(waiting), last === 'last');
    waiting = '';
  };
  const close = (): void => {
    if (part === undefined) return;
    waiting += SHEET_FOOT;
    flush('last');
    part = undefined;
  };
  const open = (sheet: SheetForm): void => {
    close();
    names.push(freeName(sheet.name, names));
    part = addPart(zip, `xl/worksheets/sheet${names.length}.xml`);
    rows = 0;
    waiting = sheetHead(sheet.widths);
    put(sheet.head.map((head) => ({ head })));
  };
  const put = (cells: readonly Cell[]): void => {
    waiting += rowXml(cells, ++rows);
    if (waiting.length >= PACKED_AT_ONCE) flush('more');
  };
  return {
    begin(sheet) {
      form = sheet;
      open(sheet);
    },
    add(cells) {
      if (rows >= mostRows && form !== undefined) open(form);
      put(cells);
    },
    end() {
      close();
      for (const { name, xml } of workbookParts(names)) addPart(zip, name).push(encoder.encode(xml), true);
      zip.end();
      return new Blob(packed, { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' });
    },
  };
}

const encoder = new TextEncoder();

function addPart(zip: Zip, name: string): ZipDeflate {
  const part = new ZipDeflate(name, { level: LEVEL });
  zip.add(part);
  return part;
}

/** With a number behind it where the name is taken. */
function freeName(name: string, taken: readonly string[]): string {
  for (let n = 2; ; n++) {
    const candidate = n === 2 && !taken.includes(name) ? name : `${name} ${n}`;
    if (!taken.includes(candidate)) return candidate;
  }
}
