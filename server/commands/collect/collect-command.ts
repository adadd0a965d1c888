// The command `varve collect`: its words, what it prints, and its end by a signal.

import { readFileSync } from 'node:fs';
import { collect } from '../../../collect/collector.ts';
import { RunError } from '../../../forward/errors.ts';
import { ExitCode } from '../../exit-codes.ts';
import { loadPart, MissingPackage } from '../../process/optional-part.ts';
import { UsageError } from '../../settings/read-settings.ts';
import { readCollectConfig } from './collect-config.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs with the words after `collect`, until a signal comes. */
export async function runCollectCommand(words: readonly string[]): Promise<ExitCode> {
  const [path, ...rest] = words;
  if (path === undefined || path.startsWith('--') || rest.length > 0)
    throw new UsageError('Want the configuration: varve collect <opcua.json>; see docs/opcua.md.');
  const config = readCollectConfig(path, {
    readFile: (file) => readFileSync(file, 'utf8'),
    environment: process.env,
  });
  const stop = new AbortController();
  const stopBySignal = (): void => stop.abort();
  for (const signal of SIGNALS) process.on(signal, stopBySignal);
  try {
    await loadPart('varve collect', () => collect({ config, log: say, signal: stop.signal }));
    say('stopped');
    return ExitCode.Ok;
  } catch (error) {
    if (!(error instanceof RunError) && !(error instanceof MissingPackage)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error instanceof RunError ? error.exitCode : ExitCode.Failed;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stopBySignal);
  }
}

function say(line: string): void {
  process.stderr.write(`${new Date().toISOString()} ${line}\n`);
}
