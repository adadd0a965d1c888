// The command `varve import`: its words, what it prints, and Ctrl-C.

import { statSync } from 'node:fs';
import { ExitCode } from '../../exit-codes.ts';
import { nearestNameHint } from '../../settings/nearest-name.ts';
import { TOKEN_VARIABLE, UsageError } from '../../settings/read-settings.ts';
import { CsvFault } from './csv-records.ts';
import { checkFile, type FileContent, type ImportSource, sendFile } from './import-file.ts';
import { ImportProgress } from './import-progress.ts';
import { ImportRefused, PointSender, type Receipt } from './point-sender.ts';

const FORM =
  'varve import <file.csv> --dataset <name> [--url <address>] [--token <text>] [--text <tag>]... [--check]; - is standard input';
const VALUE_FLAGS = ['dataset', 'url', 'token', 'text'];
const SWITCHES = ['check'];
const DEFAULT_URL = 'http://127.0.0.1:4511';

interface ImportWords {
  readonly path: string;
  readonly dataset: string | undefined;
  readonly url: URL;
  readonly token: string | undefined;
  readonly texts: ReadonlySet<string>;
  readonly isCheckOnly: boolean;
}

/** Runs with the words after `import`. */
export async function runImportCommand(words: readonly string[]): Promise<ExitCode> {
  const wanted = readWords(words);
  const stop = stopBySignal();
  const progress = new ImportProgress(process.stderr, sizeOf(wanted.path));
  const source: ImportSource = {
    path: wanted.path,
    texts: wanted.texts,
    stop,
    onRead: (bytes) => progress.read(bytes),
  };
  try {
    if (wanted.path !== '-' || wanted.isCheckOnly) {
      progress.start('checking');
      const isSound = await check(source, progress);
      if (!isSound || wanted.isCheckOnly) return isSound ? ExitCode.Ok : ExitCode.Failed;
    }
    return await send(source, wanted, progress);
  } finally {
    progress.end();
  }
}

/** Checks the whole file, and prints its faults, or its counts when it has none. */
async function check(source: ImportSource, progress: ImportProgress): Promise<boolean> {
  const { faults, faultCount, pointCount, tagCount, unknownQualities } = await checkFile(source);
  progress.end();
  if (faultCount === 0) {
    say(`${source.path}: ${count(pointCount)} points of ${count(tagCount)} tags, without a fault.`);
    tellUnknown({ unknownQualities });
    return true;
  }
  for (const fault of faults) complain(faultText(source.path, fault));
  const more = faultCount > faults.length ? `The first ${faults.length} of ${count(faultCount)} faults. ` : '';
  complain(`${more}Nothing was sent.`);
  return false;
}

function tellUnknown({ unknownQualities }: Pick<FileContent, 'unknownQualities'>): void {
  const { count: unknownCount, first } = unknownQualities;
  if (unknownCount === 0) return;
  complain(`${count(unknownCount)} points have a quality that is not known, and are bad; the first is ${first}.`);
}

async function send(source: ImportSource, wanted: ImportWords, progress: ImportProgress): Promise<ExitCode> {
  const { url, token, dataset = '' } = wanted;
  const sender = new PointSender({ url, token, dataset }, source.stop, (line) => progress.log(line));
  const startMs = performance.now();
  progress.start('sending', () => sender.receipt.written);
  let failure: string | undefined;
  let content: FileContent | undefined;
  try {
    content = await sendFile(source, sender);
  } catch (error) {
    failure = failureText(source, error);
  }
  progress.end();
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  const what = content === undefined ? `up to line ${sender.line}` : `${count(content.tagCount)} tags`;
  say(`${source.path} into ${dataset}, ${what}, in ${seconds} s: ${receiptText(sender.receipt)}.`);
  for (const line of adviceOn(sender.receipt)) complain(line);
  // A file was checked before, and this was said then.
  if (content !== undefined && source.path === '-') tellUnknown(content);
  if (failure === undefined) return ExitCode.Ok;
  complain(failure);
  complain('The same command again goes on from there: what is stored already is not stored twice.');
  return ExitCode.Failed;
}

function failureText({ path, stop }: ImportSource, error: unknown): string {
  if (stop.aborted) return 'Stopped.';
  if (error instanceof CsvFault) return faultText(path, error);
  if (error instanceof ImportRefused) return error.message;
  throw error;
}

function faultText(path: string, { line, message }: CsvFault): string {
  return `${path}, line ${line}: ${message}.`;
}

function receiptText({ written, repeated, ignored, rejected, expired }: Receipt): string {
  const figures = { written, repeated, late: ignored, rejected, expired };
  return Object.entries(figures)
    .map(([name, value]) => `${count(value)} ${name}`)
    .join(', ');
}

function* adviceOn({ ignored, expired }: Receipt): Generator<string> {
  if (ignored > 0)
    yield `Late: earlier than what their tag has already, and left out; of a file that was imported before, most points are. Another history of the same tags goes into a dataset of its own.`;
  if (expired > 0) yield `Expired: older than the dataset keeps its points; see its purge rules.`;
}

function readWords(words: readonly string[]): ImportWords {
  const { positionals, values } = sortWords(words);
  const [path, ...rest] = positionals;
  if (path === undefined || rest.length > 0) throw new UsageError(`Want ${FORM}.`);
  const isCheckOnly = values.has('check');
  const dataset = last(values, 'dataset');
  if (dataset === undefined && !isCheckOnly) throw new UsageError(`--dataset <name> is missing. Want ${FORM}.`);
  const token = last(values, 'token') ?? process.env[TOKEN_VARIABLE];
  return {
    path,
    dataset,
    url: readUrl(last(values, 'url') ?? DEFAULT_URL),
    token: readToken(token),
    texts: new Set(values.get('text')),
    isCheckOnly,
  };
}

function sortWords(words: readonly string[]): { positionals: string[]; values: Map<string, string[]> } {
  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    const [, name, attached] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) {
      positionals.push(word);
      continue;
    }
    if (SWITCHES.includes(name) && attached === undefined) {
      values.set(name, []);
      continue;
    }
    if (!VALUE_FLAGS.includes(name)) {
      const known = [...VALUE_FLAGS, ...SWITCHES].map((flag) => `--${flag}`);
      throw new UsageError(`Unknown flag '--${name}'.${nearestNameHint(`--${name}`, known)} Want ${FORM}.`);
    }
    const value = attached ?? words[++i];
    if (value === undefined || value === '') throw new UsageError(`--${name} needs a value.`);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return { positionals: positionals, values };
}

function last(values: ReadonlyMap<string, readonly string[]>, name: string): string | undefined {
  return values.get(name)?.at(-1);
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError(`--url: got '${text}'; want an address such as ${DEFAULT_URL}.`);
}

function readToken(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  // What a header cannot carry; the message does not repeat it.
  if (!/^[\x21-\x7e]+$/.test(text)) throw new UsageError('The token holds characters that no token has.');
  return text;
}

/** Undefined for standard input. */
function sizeOf(path: string): number | undefined {
  if (path === '-') return undefined;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`There is no file ${path}.`);
  if (stats.isDirectory()) throw new UsageError(`${path} is a folder; want a CSV file.`);
  return stats.size;
}

/** A second signal ends the process at once. */
function stopBySignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}
