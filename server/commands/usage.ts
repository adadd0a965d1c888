// The text of `varve help`, made from the tables of commands and settings.

import { environmentName, flagForm, SETTING_NAMES, SETTINGS } from '../settings/settings.ts';
import { COMMANDS } from './commands.ts';

const FORM_WIDTH = 32;

export function usageText(): string {
  const commands = COMMANDS.flatMap(({ name, forms }) =>
    forms.map(([form, summary]) => `  ${`varve ${name} ${form}`.trimEnd().padEnd(FORM_WIDTH)}${summary}`),
  );
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
