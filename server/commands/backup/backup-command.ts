// The commands `varve backup` and `varve restore`: their words, what they print, and Ctrl-C.

import { ExitCode } from '../../exit-codes.ts';
import { nearestNameHint } from '../../settings/nearest-name.ts';
import { UsageError } from '../../settings/read-settings.ts';
import { backUp } from './backup.ts';
import { BackupFailure, reportFailure } from './backup-failure.ts';
import { restore } from './restore.ts';

const BACKUP_FORM = 'varve backup <data folder> <backup folder> [--dataset <name>]... [--no-verify]';
const RESTORE_FORM = 'varve restore <backup folder> <data folder> [--dataset <name>]... [--as <name>]';
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** The event loop gets a turn this often: a signal is heard there. */
const TURN_MS = 20;
const SHOWN_FAULTS = 20;

/** Runs with the words after `backup`. */
export async function runBackupCommand(words: readonly string[]): Promise<ExitCode> {
  const { positionals, values } = readWords(words, BACKUP_FORM, ['dataset'], ['no-verify']);
  const [dataFolder, target] = positionals;
  const startMs = performance.now();
  try {
    const { datasetCount, fileCount, bytes, copiedBytes, faults } = await backUp({
      dataFolder,
      target,
      datasets: values.get('dataset'),
      verify: values.has('no-verify') ? 'none' : 'all',
      say,
      checkpoint: watchSignals(),
    });
    for (const fault of faults.slice(0, SHOWN_FAULTS)) say(`error ${fault}`);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    const verdict =
      faults.length === 0 ? '' : ` There are ${faults.length} faults: run varve check on the data folder.`;
    say(
      `Backed up ${datasetCount} datasets to ${target}: ${fileCount} files, ${bytes} bytes, ${copiedBytes} copied, in ${seconds} s.${verdict}`,
    );
    return faults.length === 0 ? ExitCode.Ok : ExitCode.Failed;
  } catch (error) {
    return reportFailure(error);
  }
}

/** Runs with the words after `restore`. */
export async function runRestoreCommand(words: readonly string[]): Promise<ExitCode> {
  const { positionals, values } = readWords(words, RESTORE_FORM, ['dataset', 'as'], []);
  const [backup, dataFolder] = positionals;
  const as = values.get('as');
  if (as !== undefined && as.length > 1) throw new UsageError('--as is given twice.');
  try {
    const checkpoint = watchSignals();
    const count = await restore({ backup, dataFolder, datasets: values.get('dataset'), as: as?.[0], say, checkpoint });
    say(`Restored ${count} datasets to ${dataFolder}. Start the server to use them.`);
    return ExitCode.Ok;
  } catch (error) {
    return reportFailure(error);
  }
}

interface Words {
  readonly positionals: readonly [string, string];
  /** By flag, in their order; a switch that is on has no values. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

function readWords(
  words: readonly string[],
  form: string,
  flags: readonly string[],
  switches: readonly string[],
): Words {
  const positionals: string[] = [];
  const values = new Map<string, readonly string[]>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (!word.startsWith('--')) {
      positionals.push(word);
      continue;
    }
    const [, name = '', attached] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (switches.includes(name) && attached === undefined) {
      values.set(name, []);
      continue;
    }
    if (!flags.includes(name)) {
      const known = [...flags, ...switches].map((flag) => `--${flag}`);
      throw new UsageError(`Unknown flag '--${name}'.${nearestNameHint(`--${name}`, known)} Want ${form}.`);
    }
    const value = attached ?? words[++i];
    if (value === undefined) throw new UsageError(`--${name} needs a value.`);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const [first, second, ...rest] = positionals;
  if (first === undefined || second === undefined || rest.length > 0) throw new UsageError(`Want ${form}.`);
  return { positionals: [first, second], values };
}

/** What the work calls between files: throws once a signal has come, so that nothing is left held. */
function watchSignals(): () => Promise<void> {
  let heard: string | undefined;
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      heard = signal;
    });
  }
  let turnMs = performance.now();
  return async () => {
    if (performance.now() - turnMs < TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    turnMs = performance.now();
    if (heard !== undefined) throw new BackupFailure(ExitCode.Failed, `Ended by ${heard}.`);
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
