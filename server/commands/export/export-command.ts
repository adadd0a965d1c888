// The command `varve export`: asks a server for points, and writes the answer to a file that is there whole or not at all.

import { statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { readProblem } from '../../../client/answers.ts';
import { type HttpDownload, HttpLink, plainBody, readText } from '../../../client/http-link.ts';
import { replaceByStream, UNFINISHED } from '../../../disk/whole-files.ts';
import { ExitCode } from '../../exit-codes.ts';
import { TOKEN_VARIABLE, UsageError } from '../../settings/read-settings.ts';
import { complain, countText } from '../transfer/lines.ts';
import { noAnswerText } from '../transfer/no-answer.ts';
import { Progress } from '../transfer/progress.ts';
import { stopBySignal } from '../transfer/stop-signal.ts';
import { DEFAULT_URL, lastValue, readToken, readUrl, sortWords } from '../transfer/words.ts';
import { exportBody, formatOf, REQUEST_FLAGS, REQUEST_SWITCHES } from './export-request.ts';

const FORM =
  'varve export --dataset <name> [--out <file>] [--tags <pattern>]... [--tag <name>]... [--start <time>] [--end <time>] [--format csv|jsonl|parquet|arrow] and flags of the form; without --out it goes to standard output';
const valueFlags = ['dataset', 'out', 'url', 'token', ...REQUEST_FLAGS];
const switches = ['force', ...REQUEST_SWITCHES];
/** Aggregates of very many points may take so long before the first of them is there. */
const ANSWER_LIMIT_MS = 600_000;

interface ExportWords {
  readonly url: URL;
  readonly token: string | undefined;
  readonly dataset: string;
  /** `-` is standard output. */
  readonly path: string;
  readonly isForced: boolean;
  readonly body: string;
}

/** The server does not answer with points, or breaks off. */
class ExportFault extends Error {}

/** Runs with the words after `export`. */
export async function runExportCommand(words: readonly string[]): Promise<ExitCode> {
  const wanted = readWords(words);
  const stop = stopBySignal();
  const progress = new Progress(process.stderr, undefined);
  const link = new HttpLink({ baseUrl: wanted.url, token: wanted.token }, { limitMs: ANSWER_LIMIT_MS });
  const startMs = performance.now();
  try {
    const download = await ask(link, wanted, stop);
    progress.start('receiving');
    const source = new CountedBytes(download, (bytes) => progress.read(bytes));
    await write(source, wanted);
    progress.end();
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    const where = wanted.path === '-' ? 'Standard output' : wanted.path;
    complain(`${where}: ${countText(source.count)} bytes of ${wanted.dataset} in ${seconds} s.`);
    return ExitCode.Ok;
  } catch (error) {
    progress.end();
    return failed(error, wanted, stop);
  } finally {
    link.close();
  }
}

async function ask(link: HttpLink, { url, dataset, body }: ExportWords, stop: AbortSignal): Promise<HttpDownload> {
  const path = `/api/datasets/${encodeURIComponent(dataset)}/read`;
  const asked = { method: 'POST', path, body: plainBody(body), headers: { accept: '*/*' }, signal: stop } as const;
  const download = await link.open(asked).catch((error: unknown) => {
    throw new ExportFault(`${url.origin}: ${noAnswerText(error)}.`, { cause: error });
  });
  if (download.status === 200) return download;
  const { detail = 'without a reason.' } = readProblem(await readText(download.body));
  throw new ExportFault(`The server refused this with ${download.status}: ${detail}`);
}

/** The bytes of an answer; a fault of the connection is told from one of the disk. */
class CountedBytes implements AsyncIterable<Uint8Array> {
  count = 0;
  readonly #download: HttpDownload;
  readonly #onBytes: (bytes: number) => void;

  constructor(download: HttpDownload, onBytes: (bytes: number) => void) {
    this.#download = download;
    this.#onBytes = onBytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#download.body) {
        const bytes = chunk as Uint8Array;
        this.count += bytes.length;
        this.#onBytes(bytes.length);
        yield bytes;
      }
    } catch (error) {
      throw new ExportFault(
        `The answer broke off after ${countText(this.count)} bytes; the log of the server says why.`,
        {
          cause: error,
        },
      );
    }
  }
}

async function write(source: CountedBytes, { path, isForced }: ExportWords): Promise<void> {
  if (path !== '-') return replaceByStream(path, source, isForced ? 'replace' : 'refuse');
  await pipeline(source, process.stdout, { end: false });
}

function failed(error: unknown, { path }: ExportWords, stop: AbortSignal): ExitCode {
  const kept = path === '-' ? '' : ` ${path} was not written.`;
  if (stop.aborted) complain(`Stopped.${kept}`);
  else if (error instanceof ExportFault) complain(`${error.message}${kept}`);
  else return diskFault(error, path);
  return ExitCode.Failed;
}

function diskFault(error: unknown, path: string): ExitCode {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  if (code === 'EEXIST') {
    complain(`${path}${UNFINISHED} is there: another export writes it, or was ended. --force begins it anew.`);
    return ExitCode.Failed;
  }
  if (path === '-' && code === 'EPIPE') {
    complain('Nobody reads standard output any more.');
    return ExitCode.Failed;
  }
  complain(`${path} could not be written: ${message}.`);
  return ExitCode.Io;
}

function readWords(words: readonly string[]): ExportWords {
  const sorted = sortWords(words, { form: FORM, valueFlags, switches });
  const { positionals, values } = sorted;
  if (positionals.length > 0) throw new UsageError(`Got '${positionals[0]}'. Want ${FORM}.`);
  const dataset = lastValue(sorted, 'dataset');
  if (dataset === undefined) throw new UsageError(`--dataset <name> is missing. Want ${FORM}.`);
  const path = lastValue(sorted, 'out') ?? '-';
  const isForced = values.has('force');
  checkPath(path, isForced);
  return {
    url: readUrl(lastValue(sorted, 'url') ?? DEFAULT_URL),
    token: readToken(lastValue(sorted, 'token') ?? process.env[TOKEN_VARIABLE]),
    dataset,
    path,
    isForced,
    body: JSON.stringify(exportBody(values, formatOf(values, path))),
  };
}

function checkPath(path: string, isForced: boolean): void {
  const stats = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new UsageError(`--out: ${path} is a folder; want a file.`);
  if (stats !== undefined && !isForced) throw new UsageError(`--out: ${path} is there already; --force replaces it.`);
}
