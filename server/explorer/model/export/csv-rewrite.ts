// A CSV of the server in the form that a spreadsheet of the plant takes: separator, decimal sign, zone, names. Record by record,
// for files of any length. Pure.

export interface CsvForm {
  readonly separator: ',' | ';' | '\t';
  readonly decimal: '.' | ',';
  /** Gives a time of the server as it shall stand; absent: as it is. */
  readonly formatTime?: (iso: string) => string;
  /** Stands behind `time` in the head, such as `UTC`. */
  readonly zone: string;
  /** Names of calculated series, by their expressions. */
  readonly names: ReadonlyMap<string, string>;
  /** Names of tags with texts, which stay as they are where they look like a number. */
  readonly texts: ReadonlySet<string>;
}

export interface CsvRewriter {
  /** What can be told of the file with these characters. */
  write(chunk: string): string;
  end(): string;
  /** Records without the head. */
  count(): number;
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** A spreadsheet takes a text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

export function createCsvRewriter(form: CsvForm): CsvRewriter {
  let rest = '';
  let head: readonly string[] | undefined;
  let records = 0;
  const take = (line: string): string => {
    const cells = splitRecord(line);
    if (head !== undefined) {
      records++;
      const names = head;
      return formatRecord(
        cells.map((_, at) => cellText(cells, at, names, form)),
        form,
      );
    }
    head = cells;
    return formatRecord(
      cells.map((cell) => headText(cell, form)),
      form,
    );
  };
  return {
    write(chunk) {
      const { lines, open } = splitLines(rest + chunk);
      rest = open;
      return lines.map(take).join('');
    },
    end: () => (rest === '' ? '' : take(rest)),
    count: () => records,
  };
}

/** Whole records; a line end within quotes is part of a text. */
function splitLines(text: string): { lines: string[]; open: string } {
  const lines: string[] = [];
  let from = 0;
  let quotes = 0;
  let searched = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    quotes += countQuotes(text, searched, end);
    searched = end;
    if (quotes % 2 === 1) continue;
    lines.push(text.slice(from, text[end - 1] === '\r' ? end - 1 : end));
    from = end + 1;
    quotes = 0;
  }
  return { lines, open: text.slice(from) };
}

function countQuotes(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('"', from); at >= 0 && at < to; at = text.indexOf('"', at + 1)) count++;
  return count;
}

/** Cells as they stand: those with quotes keep them, so that an empty text is not taken for nothing. */
function splitRecord(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  const cells: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at <= line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    if (at < line.length && (isQuoted || line[at] !== ',')) continue;
    cells.push(line.slice(from, at));
    from = at + 1;
  }
  return cells;
}

function unquote(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

function headText(cell: string, { zone, names }: CsvForm): string {
  const text = unquote(cell);
  if (text === 'time') return `time (${zone})`;
  for (const [expression, name] of names) {
    if (text === expression || text.startsWith(`${expression} `)) return guard(name + text.slice(expression.length));
  }
  return guard(text);
}

function cellText(cells: readonly string[], at: number, head: readonly string[], form: CsvForm): string {
  const [name, cell = ''] = [head[at], cells[at]];
  if (name === 'time') return form.formatTime?.(cell) ?? cell;
  if (cell === '""') return cell;
  const text = unquote(cell);
  if (name === 'tag') return guard(form.names.get(text) ?? text);
  if (name === 'quality' || name === 'function') return text;
  const tagAt = head.indexOf('tag');
  const tag = tagAt < 0 ? unquote(name ?? '') : unquote(cells[tagAt] ?? '');
  if (!form.texts.has(tag) && NUMBER.test(text)) return form.decimal === ',' ? text.replace('.', ',') : text;
  return guard(text);
}

function guard(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function formatRecord(cells: readonly string[], { separator }: CsvForm): string {
  return `${cells.map((cell) => quoteCell(cell, separator)).join(separator)}\r\n`;
}

function quoteCell(text: string, separator: string): string {
  if (text === '""') return text;
  const needsQuotes = text.includes(separator) || /["\r\n]|^\s|\s$/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}
