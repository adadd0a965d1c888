// The command `varve import`: its words, what it prints, and Ctrl-C.

import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { ExitCode } from '../../exit-codes.ts';
import { MissingPackage } from '../../process/optional-part.ts';
import { TOKEN_VARIABLE, UsageError } from '../../settings/read-settings.ts';
import { complain, countText, say } from '../transfer/lines.ts';
import { Progress } from '../transfer/progress.ts';
import { stopBySignal } from '../transfer/stop-signal.ts';
import { DEFAULT_URL, lastValue, readToken, readUrl, type SortedWords, sortWords } from '../transfer/words.ts';
import { FROM_FLAGS, runFromCommand } from './from/from-command.ts';
import {
  checkFile,
  type FileCheck,
  type FileContent,
  type ImportSource,
  type OpenedSource,
  openSource,
  sendFile,
} from './import-file.ts';
import { readWishes, WISH_FLAGS } from './import-wishes.ts';
import type { ImportWishes } from './opened-file.ts';
import { ImportRefused, PointSender, type Receipt } from './point-sender.ts';
import type { Findings } from './points/point-reader.ts';
import { previewOf } from './preview.ts';
import { CsvFault } from './recognise/csv-records.ts';
import { UnclearForm } from './recognise/file-form.ts';
import { RejectsFile } from './rejects-file.ts';

const FORM =
  'varve import <file>... --dataset <name> [--url <address>] [--token <text>] [--preview] [--check] [--rejects <file>] and flags that say what the file is; - is standard input; or --from <address> of another server';
const valueFlags = ['dataset', 'url', 'token', 'rejects', 'after-line', ...WISH_FLAGS, ...FROM_FLAGS];
const switches = ['check', 'preview', 'no-header'];

interface ImportWords {
  readonly paths: readonly string[];
  readonly dataset: string | undefined;
  readonly url: URL;
  readonly token: string | undefined;
  readonly wishes: ImportWishes;
  readonly isCheckOnly: boolean;
  readonly isPreview: boolean;
  /** Lines up to this one were sent before; 0 for none. */
  readonly afterLine: number;
  /** Path of the file that lists rows which cannot be stored. */
  readonly rejects: string | undefined;
}

/** Runs with the words after `import`. Ends at the first file that is not imported whole. */
export async function runImportCommand(words: readonly string[]): Promise<ExitCode> {
  const sorted = sortWords(words, { form: FORM, valueFlags, switches });
  if (sorted.values.has('from')) return runFromCommand(sorted);
  const wanted = readWords(sorted);
  const stop = stopBySignal();
  const sizes = wanted.paths.map((path) => sizeOf(path));
  for (const [index, path] of wanted.paths.entries()) {
    const progress = new Progress(process.stderr, sizes[index]);
    const source: ImportSource = { path, wishes: wanted.wishes, stop, onRead: (bytes) => progress.read(bytes) };
    const code = await importOne(source, wanted, progress).finally(() => progress.end());
    if (code !== ExitCode.Ok) return code;
  }
  return ExitCode.Ok;
}

async function importOne(source: ImportSource, wanted: ImportWords, progress: Progress): Promise<ExitCode> {
  let opened: OpenedSource;
  try {
    opened = await openSource(source);
  } catch (error) {
    if (error instanceof UnclearForm) complain(`${source.path}: ${error.message}`);
    else if (error instanceof CsvFault) complain(faultText(source.path, error));
    else if (error instanceof MissingPackage) complain(`${source.path}: ${error.message}`);
    else throw error;
    complain('Nothing was sent.');
    return ExitCode.Failed;
  }
  if (wanted.wishes.encoding === undefined && opened.encoding === 'windows-1252')
    complain(`${source.path}: not UTF-8, and read as Windows-1252; --encoding <name> says another.`);
  if (wanted.isPreview) {
    const { lines, isSound } = previewOf(source.path, opened, wanted.wishes);
    for (const line of lines) say(line);
    return isSound ? ExitCode.Ok : ExitCode.Failed;
  }
  if (source.path === '-' && !wanted.isCheckOnly) return send({ source, opened, isUnsorted: false }, wanted, progress);
  const result = await checkFile(opened, () => progress.start('checking'));
  progress.end();
  const isSound = tellCheck(source, result, wanted);
  if (!isSound || wanted.isCheckOnly) return isSound ? ExitCode.Ok : ExitCode.Failed;
  if (result.isUnsorted && wanted.afterLine > 0) {
    complain(
      `${source.path}: rows are sorted before they are sent, so that --after-line says nothing. Nothing was sent.`,
    );
    return ExitCode.Failed;
  }
  return send({ source, ...result }, wanted, progress);
}

/** Prints the faults of a file, or its counts when it has none; false when nothing is to be sent. */
function tellCheck({ path }: ImportSource, result: FileCheck, { rejects, isCheckOnly }: ImportWords): boolean {
  const { faults, faultCount, pointCount, tagCount } = result;
  if (faultCount === 0) {
    say(`${path}: ${countText(pointCount)} points of ${countText(tagCount)} tags, without a fault.`);
    if (result.isUnsorted) say('Rows are not in the order of time: they are sorted before they are sent.');
    tellContent(result);
    return true;
  }
  if (rejects !== undefined && !isCheckOnly && pointCount > 0) {
    tellContent(result);
    return true;
  }
  for (const fault of faults) complain(faultText(path, fault));
  const more = faultCount > faults.length ? `The first ${faults.length} of ${countText(faultCount)} faults. ` : '';
  const advice = pointCount > 0 && !isCheckOnly ? ' --rejects <file> leaves such rows out, and lists them there.' : '';
  complain(`${more}Nothing was sent.${advice}`);
  return false;
}

function tellContent({ unknownQualities, doubts }: FileContent): void {
  for (const doubt of doubts) complain(doubt);
  const { count: unknownCount, first } = unknownQualities;
  if (unknownCount === 0) return;
  complain(`${countText(unknownCount)} points have a quality that is not known, and are bad; the first is ${first}.`);
}

interface Checked {
  readonly source: ImportSource;
  readonly opened: OpenedSource;
  readonly isUnsorted: boolean;
  readonly findings?: Findings;
  /** Undefined where it was not checked before. */
  readonly pointCount?: number;
}

async function send(checked: Checked, wanted: ImportWords, progress: Progress): Promise<ExitCode> {
  const { source, opened, isUnsorted, findings } = checked;
  const { url, token, dataset = '' } = wanted;
  const rejects = wanted.rejects === undefined ? undefined : new RejectsFile(wanted.rejects, source.path);
  const sender = new PointSender({ url, token, dataset }, source.stop, (line) => progress.log(line));
  const startMs = performance.now();
  const total = checked.pointCount;
  progress.start('sending', { total, done: () => sender.answeredCount, written: () => sender.receipt.written });
  let failure: string | undefined;
  let content: FileContent | undefined;
  try {
    const { afterLine } = wanted;
    content = await sendFile(opened, sender, { onReject: rejects?.add, sorts: isUnsorted, findings, afterLine });
  } catch (error) {
    failure = failureText(source, error);
  }
  progress.end();
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  const what = content === undefined ? `up to line ${sender.line}` : `${countText(content.tagCount)} tags`;
  say(`${source.path} into ${dataset}, ${what}, in ${seconds} s: ${receiptText(sender.receipt)}.`);
  for (const line of adviceOn(sender.receipt)) complain(line);
  // A file was checked before, and this was said then.
  if (content !== undefined && source.path === '-') tellContent(content);
  const rejectedCount = rejects?.end() ?? 0;
  if (rejectedCount > 0)
    complain(`${countText(rejectedCount)} rows were left out; they are listed in ${wanted.rejects}.`);
  if (failure === undefined) return rejectedCount === 0 ? ExitCode.Ok : ExitCode.Failed;
  complain(failure);
  const afterLine =
    sender.line > 0 && !isUnsorted ? ` With --after-line ${sender.line} it is not sent again either.` : '';
  complain(`The same command again goes on from there: what is stored already is not stored twice.${afterLine}`);
  return ExitCode.Failed;
}

function failureText({ path, stop }: ImportSource, error: unknown): string {
  if (stop.aborted) return 'Stopped.';
  if (error instanceof CsvFault) return faultText(path, error);
  if (error instanceof ImportRefused) return error.message;
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
    return `${tmpdir()} has no room to sort the rows in; TMPDIR names another folder.`;
  throw error;
}

function faultText(path: string, { line, message }: CsvFault): string {
  return `${path}, line ${line}: ${message}.`;
}

function receiptText({ written, repeated, ignored, rejected, expired }: Receipt): string {
  const figures = { written, repeated, late: ignored, rejected, expired };
  return Object.entries(figures)
    .map(([name, value]) => `${countText(value)} ${name}`)
    .join(', ');
}

function* adviceOn({ ignored, expired }: Receipt): Generator<string> {
  if (ignored > 0)
    yield `Late: earlier than what their tag has already, and left out; of a file that was imported before, most points are. Another history of the same tags goes into a dataset of its own.`;
  if (expired > 0) yield `Expired: older than the dataset keeps its points; see its purge rules.`;
}

function readWords(sorted: SortedWords): ImportWords {
  const { positionals, values } = sorted;
  const ofServers = FROM_FLAGS.find((flag) => values.has(flag));
  if (ofServers !== undefined) throw new UsageError(`--${ofServers} goes with --from <address>.`);
  if (positionals.length === 0) throw new UsageError(`Want ${FORM}.`);
  const isPreview = values.has('preview');
  const isCheckOnly = values.has('check') || isPreview;
  const dataset = lastValue(sorted, 'dataset');
  if (dataset === undefined && !isCheckOnly) throw new UsageError(`--dataset <name> is missing. Want ${FORM}.`);
  const token = lastValue(sorted, 'token') ?? process.env[TOKEN_VARIABLE];
  return {
    paths: positionals,
    dataset,
    url: readUrl(lastValue(sorted, 'url') ?? DEFAULT_URL),
    token: readToken(token),
    wishes: readWishes(values),
    isCheckOnly,
    isPreview,
    rejects: lastValue(sorted, 'rejects'),
    afterLine: readAfterLine(lastValue(sorted, 'after-line'), positionals.length),
  };
}

function readAfterLine(text: string | undefined, fileCount: number): number {
  if (text === undefined) return 0;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--after-line: got '${text}'; want the number of a line.`);
  if (fileCount > 1) throw new UsageError('--after-line is for one file; import the others by commands of their own.');
  return Number(text);
}

/** Undefined for standard input. */
function sizeOf(path: string): number | undefined {
  if (path === '-') return undefined;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`There is no file ${path}.`);
  if (stats.isDirectory()) throw new UsageError(`${path} is a folder; want a CSV file.`);
  return stats.size;
}
