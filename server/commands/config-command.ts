// The command `varve config print [flags of serve]`: the settings that a start would have, and where each comes from.

import { readFileSync } from 'node:fs';
import { ExitCode } from '../exit-codes.ts';
import { nearestNameHint } from '../settings/nearest-name.ts';
import { explainSettings, UsageError } from '../settings/read-settings.ts';

/** Throws a `UsageError` for invalid settings. */
export function runConfigCommand(words: readonly string[]): ExitCode {
  const [command, ...flags] = words;
  if (command !== 'print') {
    const hint = command === undefined ? '' : `; got '${command}'.${nearestNameHint(command, ['print'])}`;
    throw new UsageError(`Want varve config print [flags of serve]${hint}`);
  }
  const rows = explainSettings({ flags, environment: process.env, readFile: (path) => readFileSync(path, 'utf8') });
  const cells = rows.map(({ name, text, origin }) => [name, text ?? '-', origin] as const);
  const nameWidth = Math.max(...cells.map(([name]) => name.length));
  const textWidth = Math.max(...cells.map(([, text]) => text.length));
  const lines = cells.map(
    ([name, text, origin]) => `${name.padEnd(nameWidth)}  ${text.padEnd(textWidth)}  ${origin}\n`,
  );
  process.stdout.write(lines.join(''));
  return ExitCode.Ok;
}
