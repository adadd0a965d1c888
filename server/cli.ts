// The commands of the program. Each gives the exit code; the entry of the process ends it.

import { readFileSync } from 'node:fs';
import { COMMAND_NAMES } from './commands/commands.ts';
import { usageText } from './commands/usage.ts';
import { ExitCode } from './exit-codes.ts';
import { nearestNameHint } from './settings/nearest-name.ts';
import { readSettings, UsageError } from './settings/read-settings.ts';
import { VERSION } from './version.ts';

/** Runs `varve <command> …`; flags alone mean `serve`. */
export async function runCommand(words: readonly string[]): Promise<ExitCode> {
  try {
    return await dispatch(words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nRun 'varve help' for all flags.\n`);
    return ExitCode.Usage;
  }
}

async function dispatch(words: readonly string[]): Promise<ExitCode> {
  if (words.includes('--help') || words[0] === 'help' || words[0] === '-h') return print(usageText());
  if (words[0] === '--version' || words[0] === 'version') return print(VERSION);
  if (words[0] === 'check') return check(words.slice(1));
  if (words[0] === 'backup' || words[0] === 'restore') return runBackup(words[0], words.slice(1));
  if (words[0] === 'replicate') return replicate(words.slice(1));
  if (words[0] === 'import') return importFile(words.slice(1));
  if (words[0] === 'export') return exportData(words.slice(1));
  if (words[0] === 'collect') return collect(words.slice(1));
  if (words[0] === 'token') return runToken(words.slice(1));
  if (words[0] === 'doctor') return doctor(words.slice(1));
  if (words[0] === 'config') return config(words.slice(1));
  if (words[0] === 'completion') return completion(words.slice(1));
  if (words[0] === 'serve') return startServer(words.slice(1));
  const [first] = words;
  if (first === 'simulate')
    throw new UsageError('The simulator is a program beside this one; bin/varve.mjs starts it.');
  if (first !== undefined && !first.startsWith('--')) {
    throw new UsageError(`Unknown command '${first}'.${nearestNameHint(first, COMMAND_NAMES)}`);
  }
  return startServer(words);
}

async function startServer(flags: readonly string[]): Promise<ExitCode> {
  const settings = readSettings({
    flags,
    environment: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
    onRemoved: (sentence) => console.error(sentence),
  });
  // Loaded only now: the other commands need nothing of it, and a wrong flag is told at once.
  const { serve } = await import('./serve.ts');
  return serve(settings);
}

async function check(words: readonly string[]): Promise<ExitCode> {
  const [folder, ...rest] = words;
  if (folder === undefined || folder.startsWith('--') || rest.length > 0) {
    throw new UsageError('Want the data folder to check: varve check <folder>.');
  }
  const { checkData } = await import('./commands/check-data.ts');
  return checkData(folder);
}

async function runBackup(command: 'backup' | 'restore', words: readonly string[]): Promise<ExitCode> {
  const { runBackupCommand, runRestoreCommand } = await import('./commands/backup/backup-command.ts');
  return command === 'backup' ? runBackupCommand(words) : runRestoreCommand(words);
}

async function replicate(flags: readonly string[]): Promise<ExitCode> {
  const settings = readSettings({ flags, environment: process.env, readFile: (path) => readFileSync(path, 'utf8') });
  const { runReplicate } = await import('./commands/replicate-command.ts');
  return runReplicate(settings);
}

async function importFile(words: readonly string[]): Promise<ExitCode> {
  const { runImportCommand } = await import('./commands/import/import-command.ts');
  return runImportCommand(words);
}

async function exportData(words: readonly string[]): Promise<ExitCode> {
  const { runExportCommand } = await import('./commands/export/export-command.ts');
  return runExportCommand(words);
}

async function collect(words: readonly string[]): Promise<ExitCode> {
  const { runCollectCommand } = await import('./commands/collect/collect-command.ts');
  return runCollectCommand(words);
}

async function runToken(words: readonly string[]): Promise<ExitCode> {
  const { runTokenCommand } = await import('./commands/token-command.ts');
  return runTokenCommand(words);
}

async function doctor(flags: readonly string[]): Promise<ExitCode> {
  const { runDoctor } = await import('./commands/doctor/doctor-command.ts');
  return runDoctor(flags);
}

async function config(words: readonly string[]): Promise<ExitCode> {
  const { runConfigCommand } = await import('./commands/config-command.ts');
  return runConfigCommand(words);
}

async function completion(words: readonly string[]): Promise<ExitCode> {
  const { runCompletionCommand } = await import('./commands/completion.ts');
  return runCompletionCommand(words);
}

function print(text: string): ExitCode {
  process.stdout.write(`${text}\n`);
  return ExitCode.Ok;
}
