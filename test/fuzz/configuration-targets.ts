// Fuzzed: what people write: settings, the token file, simulator configurations.

import { readFileSync } from 'node:fs';
import { formatTokenFile, parseTokenFile, TokenFileError } from '../../server/auth/tokens/token-file.ts';
import { readSettings, UsageError } from '../../server/settings/read-settings.ts';
import { parsePlant } from '../../simulator/config/plant.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { mutateText } from './mutate.ts';

const SETTINGS_TEXT =
  '{"port":4511,"host":"127.0.0.1","allow-host":["a","b:80"],"on-bad-point":"drop-point","max-body":"16MiB","max-ahead":"1d"}';
const PLANT_TEXT = readFileSync(new URL('../../demo/plant.json', import.meta.url), 'utf8');
const TOKEN_FILE_TEXT = formatTokenFile([
  {
    id: '3f9a1c2e',
    role: 'write',
    datasets: ['Plant*'],
    name: 'collector',
    hash: 'ab'.repeat(32),
    created: '2026-01-01T00:00:00.000Z',
    expires: '2027-01-01T00:00:00.000Z',
  },
]);
const FLAGS = ['--port', '80', '--data=x', '--no-demo', '--max-body', '1GiB', '--allow-host', 'a', '--config', 'f'];

function drawFlags(random: SeededRandom): string[] {
  return FLAGS.filter(() => random.chance(0.6)).map((flag) => (random.chance(0.2) ? mutateText(flag, random) : flag));
}

export const configurationTargets: readonly FuzzTarget[] = [
  {
    name: 'settings',
    isDeclared: (error) => error instanceof UsageError,
    run: (random) => {
      const text = mutateText(SETTINGS_TEXT, random);
      const environment = random.chance(0.3) ? { VARVE_PORT: mutateText('4511', random) } : {};
      readSettings({ flags: drawFlags(random), environment, readFile: () => text });
    },
  },
  {
    name: 'token file',
    isDeclared: (error) => error instanceof TokenFileError,
    run: (random) => {
      parseTokenFile(mutateText(TOKEN_FILE_TEXT, random), 'tokens.json');
    },
  },
  {
    name: 'simulator configuration',
    // Its faults are in the result.
    isDeclared: () => false,
    run: (random) => {
      parsePlant(mutateText(PLANT_TEXT, random));
    },
  },
];
