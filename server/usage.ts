// The text of `varve help`, made from the table of settings.

import { environmentName, flagForm, SETTING_NAMES, SETTINGS } from './settings.ts';

const COMMANDS: readonly (readonly [string, string])[] = [
  ['varve serve [flags]', 'Run the server (the default).'],
  ['varve check <folder>', 'Check a data folder that no server is using; prints what it finds.'],
  ['varve backup <data> <to>', 'Copy a data folder, also while the server runs; again, only what has grown.'],
  ['varve restore <from> <data>', 'Put datasets of a backup into a data folder; see docs/operations.md.'],
  [
    'varve token create',
    'Make a token, and print it: --role read|write|admin; with --client <id> a client; see docs/security.md.',
  ],
  ['varve token list', 'List the tokens and clients.'],
  ['varve token revoke <id>', 'Make a token invalid, or a client with all its tokens.'],
  ['varve doctor [flags]', 'Look at everything that a start depends on; say what to do.'],
  ['varve config print [flags]', 'Print the settings that a start would have, and where each comes from.'],
  ['varve simulate [flags]', 'Run the simulator against a server; varve simulate --help lists its flags.'],
  ['varve help', 'Print this text.'],
  ['varve version', 'Print the version.'],
];

export function usageText(): string {
  const commands = COMMANDS.map(([form, summary]) => `  ${form.padEnd(29)}${summary}`);
  const flags = SETTING_NAMES.flatMap((name) => {
    const { defaultText, summary } = SETTINGS[name];
    const fallback = defaultText === undefined || defaultText === '' ? '' : ` Default: ${defaultText}.`;
    return [`  ${flagForm(name)}`, `      ${summary}${fallback} (${environmentName(name)})`];
  });
  return [
    'Varve, a time-series historian.',
    '',
    'Commands',
    ...commands,
    '',
    'Flags of serve; each also as an environment variable, and as a key of the file given by --config',
    ...flags,
    '',
    'Exit codes: 0 fine, 1 failed, 2 bad usage or settings, 74 disk failure, 75 data folder or port in use.',
  ].join('\n');
}
