// The parts of a workbook (ECMA-376, SpreadsheetML): cells and rows as XML, and what names the sheets. Pure.

/** Excel takes no more. */
export const MOST_SHEET_ROWS = 1_048_576;
const MOST_CELL_CHARACTERS = 32_767;
/** Digits that Excel keeps of a number. */
const MOST_DIGITS = 15;
const DAY_MS = 86_400_000;
/** Days from the beginning of Excel's calendar to 1970. */
const DAYS_BEFORE_1970 = 25_569;

/** Indexes of `cellXfs` in the styles. */
const STYLES = { head: 1, time: 2 } as const;

/** `time` is milliseconds since 1970 of the clocks that shall be shown. */
export type Cell = null | string | number | boolean | { readonly time: number } | { readonly head: string };

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** Before the rows; the first of them stays in sight. Widths are in characters. */
export function sheetHead(widths: readonly number[]): string {
  const columns = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`);
  return `${XML_HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`;
}

export const SHEET_FOOT = '</sheetData></worksheet>';

/** Cells follow each other from the first column on; an empty one is left out, so that those behind it say where they are. */
export function rowXml(cells: readonly Cell[], row: number): string {
  let xml = '<row>';
  let isDisplaced = false;
  for (const [i, cell] of cells.entries()) {
    if (cell === null || (typeof cell === 'object' && 'time' in cell && Number.isNaN(cell.time))) isDisplaced = true;
    else xml += cellXml(cell, isDisplaced ? ` r="${columnName(i)}${row}"` : '');
  }
  return `${xml}</row>`;
}

function cellXml(cell: Exclude<Cell, null>, place: string): string {
  if (typeof cell === 'number') return `<c${place}><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c${place} t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'string') return textXml(cell, place);
  if ('head' in cell) return textXml(cell.head, `${place} s="${STYLES.head}"`);
  return `<c${place} s="${STYLES.time}"><v>${excelDays(cell.time)}</v></c>`;
}

function textXml(text: string, attributes: string): string {
  return `<c${attributes} t="inlineStr"><is><t xml:space="preserve">${escapeXml(text.slice(0, MOST_CELL_CHARACTERS))}</t></is></c>`;
}

/** Days with a fraction, as Excel counts them. */
export function excelDays(clockMs: number): number {
  return Number((clockMs / DAY_MS + DAYS_BEFORE_1970).toFixed(10));
}

/** `A`, `Z`, `AA`. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`;
}

/** Characters that XML cannot hold stand as Excel writes them: `_x0007_`. */
export function escapeXml(text: string): string {
  return (
    text
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are meant
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, controlText)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\r', '_x000D_')
  );
}

function controlText(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}

/** Digits as a number where Excel keeps all of them, else as they are: no false ones. */
export function numberCell(digits: string): Cell {
  const significant = digits
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '');
  return significant.length <= MOST_DIGITS && digits.trim() !== '' && Number.isFinite(Number(digits))
    ? Number(digits)
    : digits;
}

interface Part {
  readonly name: string;
  readonly xml: string;
}

/** What a workbook holds besides its sheets, which are `xl/worksheets/sheet1.xml` and on. */
export function workbookParts(sheetNames: readonly string[]): Part[] {
  const numbers = sheetNames.map((_, i) => i + 1);
  const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  return [
    {
      name: '[Content_Types].xml',
      xml: `${XML_HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheet}.styles+xml"/>${numbers.map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${sheet}.worksheet+xml"/>`).join('')}</Types>`,
    },
    {
      name: '_rels/.rels',
      xml: `${XML_HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      xml: `${XML_HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheetNames.map((name, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      xml: `${XML_HEAD}<Relationships xmlns="${PACKAGE}/relationships">${numbers.map((n) => `<Relationship Id="rId${n}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${n}.xml"/>`).join('')}<Relationship Id="rId${numbers.length + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    },
    { name: 'xl/styles.xml', xml: stylesXml() },
  ];
}

function stylesXml(): string {
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>';
  const head = '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>';
  const time = '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>';
  return `${XML_HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3">${plain}${head}${time}</cellXfs></styleSheet>`;
}
