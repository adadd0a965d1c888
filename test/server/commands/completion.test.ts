// What a press of Tab gives, asked of the shells themselves.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { COMMAND_NAMES } from '../../../server/commands/commands.ts';
import { SETTING_NAMES } from '../../../server/settings/settings.ts';
import { runServerToEnd } from '../../support/server-process.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

type Shell = 'bash' | 'zsh' | 'fish';

const scripts = new Map<Shell, string>();
before(async () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const { code, stdout, stderr } = await runServerToEnd(['completion', shell]);
    assert.deepEqual([code, stderr], [0, '']);
    scripts.set(shell, `${stdout}\n`);
  }
});

/** For shells of the family of bash: fills in what they set before they ask, and prints the replies. */
const ASK_FUNCTION = `
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _varve
for reply in "\${COMPREPLY[@]}"; do printf '%s\\n' "$reply"; done
`;
const COMMANDS: Readonly<Record<Shell, (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => ['-c', `source ./script; ${ASK_FUNCTION}`, 'bash', ...words],
  // zsh's completion system takes its time to load; it runs a function of bash like this, with words counted from 0.
  zsh: (words) => ['-f', '-c', `compdef() { : }; source ./script; setopt ksh_arrays; ${ASK_FUNCTION}`, 'zsh', ...words],
  fish: (words) => ['--no-config', '-c', `source ./script; complete -C ${quote(words.join(' '))}`],
};

function quote(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}

/** In a folder with the folder `data` and the file `notes`. */
function complete(folder: string, shell: Shell, ...words: string[]): string[] {
  writeFileSync(join(folder, 'script'), scripts.get(shell) ?? '');
  const { status, stdout, stderr } = spawnSync(shell, COMMANDS[shell](words), { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '');
  // fish puts a description behind each.
  const replies = stdout.split('\n').map((line) => line.split('\t')[0] ?? '');
  // zsh's functions for bash reply with all there is, and its matcher takes from that what begins like the word.
  return replies
    .filter((reply) => reply !== '' && reply.startsWith(words.at(-1) ?? ''))
    .map((reply) => reply.replace(/\/$/, ''));
}

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0;
  test(`${shell} completes commands, their parts, flags, words and folders`, {
    skip: isThere ? false : `${shell} is not installed (scripts/install-test-packages.sh)`,
  }, (context) => {
    const folder = makeTempFolder(context);
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'notes'), '');
    const ask = (...words: string[]): string[] => complete(folder, shell, 'varve', ...words).sort();
    assert.deepEqual(ask(''), [...COMMAND_NAMES].sort());
    assert.deepEqual(ask('ser'), ['serve']);
    assert.deepEqual(ask('token', ''), ['create', 'list', 'revoke']);
    assert.deepEqual(ask('config', ''), ['print']);
    assert.deepEqual(ask('serve', '--purge-'), ['--purge-age', '--purge-size']);
    assert.equal(ask('serve', '--').length >= SETTING_NAMES.length, true);
    assert.deepEqual(ask('serve', '--durability', ''), ['group', 'interval', 'os']);
    assert.deepEqual(ask('doctor', '--data', 'd'), ['data']);
    assert.deepEqual(ask('check', ''), ['data']);
    assert.deepEqual(ask('import', 'n'), ['notes']);
    assert.deepEqual(ask('serve', '--port', ''), []);
    assert.deepEqual(ask('serve', '--config', 'n'), ['notes']);
  });
}

test('another shell is bad usage, and the nearest one is named', async () => {
  const { code, stdout, stderr } = await runServerToEnd(['completion', 'bahs']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^Want varve completion bash\|zsh\|fish; got 'bahs'\. Did you mean 'bash'\?/);
});
