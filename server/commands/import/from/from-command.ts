// `varve import --from <address>`: its words, and what it prints.

import { ExitCode } from '../../../exit-codes.ts';
import { TOKEN_VARIABLE, UsageError } from '../../../settings/read-settings.ts';
import { complain, countText, say } from '../../transfer/lines.ts';
import { Progress } from '../../transfer/progress.ts';
import { stopBySignal } from '../../transfer/stop-signal.ts';
import { DEFAULT_URL, lastValue, readToken, readUrl, type SortedWords } from '../../transfer/words.ts';
import { ImportRefused, PointSender } from '../point-sender.ts';
import { type CopyOutcome, copyDataset } from './copy-dataset.ts';
import { ServerDataset, SourceFault, type TimeRange } from './source-server.ts';

export const FROM_FLAGS = ['from', 'from-dataset', 'from-token', 'start', 'end', 'rate'];
/** Flags of files mean nothing here. */
const USED_FLAGS = [...FROM_FLAGS, 'dataset', 'url', 'token'];
const FIRST_TIME = '0001-01-01T00:00:00Z';
const LAST_TIME = '9999-12-31T23:59:59.9999999Z';
const SHOWN_TAGS = 10;

/** Runs where `--from` was given. */
export async function runFromCommand(sorted: SortedWords): Promise<ExitCode> {
  const { from, target, range, rate } = readWords(sorted);
  const stop = stopBySignal();
  const progress = new Progress(process.stderr, undefined);
  const [source, sink] = [new ServerDataset(from, stop), new ServerDataset(target, stop)];
  const sender = new PointSender(target, stop, (line) => progress.log(line));
  progress.start('sending', {
    total: undefined,
    done: () => sender.answeredCount,
    written: () => sender.receipt.written,
  });
  const where = `${from.url.origin}, ${from.dataset}`;
  let failure: string | undefined;
  let outcome: CopyOutcome | undefined;
  try {
    outcome = await copyDataset({ from: source, to: sink, sender, range, rate, stop });
  } catch (error) {
    if (stop.aborted) failure = 'Stopped.';
    else if (error instanceof SourceFault || error instanceof ImportRefused) failure = error.message;
    else throw error;
  } finally {
    progress.end();
    source.close();
    sink.close();
  }
  const { written, repeated, ignored, rejected, expired } = sender.receipt;
  const figures = Object.entries({ written, repeated, late: ignored, rejected, expired });
  const what =
    outcome === undefined ? '' : ` ${countText(outcome.tagCount)} tags, ${countText(outcome.readCount)} points read;`;
  say(
    `${where} into ${target.dataset}:${what} ${figures.map(([name, value]) => `${countText(value)} ${name}`).join(', ')}.`,
  );
  if (outcome === undefined) {
    complain(failure ?? '');
    complain('The same command again goes on behind the newest point of each tag.');
    return ExitCode.Failed;
  }
  return tellCounts(outcome);
}

function tellCounts({ differing, tagCount }: CopyOutcome): ExitCode {
  if (differing.length === 0) {
    say(`Counted on both: each of the ${countText(tagCount)} tags has as many points there as here.`);
    return ExitCode.Ok;
  }
  for (const { tag, wanted, got } of differing.slice(0, SHOWN_TAGS))
    complain(
      `${JSON.stringify(tag)}: ${countText(wanted)} points there, ${got === undefined ? 'not counted' : countText(got)} here.`,
    );
  complain(
    `${countText(differing.length)} tags have another number of points; late and expired ones are left out, and what was there before counts, too.`,
  );
  return ExitCode.Failed;
}

function readWords(sorted: SortedWords) {
  const last = (name: string): string | undefined => lastValue(sorted, name);
  const other = sorted.positionals[0] ?? [...sorted.values.keys()].find((name) => !USED_FLAGS.includes(name));
  if (other !== undefined)
    throw new UsageError(
      `Got '${other}' beside --from; want ${USED_FLAGS.map((flag) => `--${flag}`).join(', ')} and no file.`,
    );
  const dataset = last('dataset');
  if (dataset === undefined) throw new UsageError('--dataset <name> is missing: where the points go to.');
  const range: TimeRange = {
    start: timeOf('start', last('start')) ?? FIRST_TIME,
    end: timeOf('end', last('end')) ?? LAST_TIME,
  };
  return {
    from: {
      url: readUrl(last('from') ?? ''),
      token: readToken(last('from-token')),
      dataset: last('from-dataset') ?? dataset,
    },
    target: {
      url: readUrl(last('url') ?? DEFAULT_URL),
      token: readToken(last('token') ?? process.env[TOKEN_VARIABLE]),
      dataset,
    },
    range,
    rate: rateOf(last('rate')),
  };
}

function timeOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new UsageError(`--${flag}: got '${text}'; want a time in ISO 8601, such as 2026-01-01T00:00:00Z.`);
}

function rateOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw new UsageError(`--rate: got '${text}'; want points in a second, such as 10000.`);
}
