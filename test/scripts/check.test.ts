// What `npm run check` runs sees the faults that it is there for.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { projectFolder } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

// The linter would look at everything in a folder, also at the packages.
const LINTER = ['oxlint/bin/oxlint', '-c', join(projectFolder, '.oxlintrc.jsonc'), 'engine'] as const;
const LIMIT_MS = 120_000;
const COMPILER = ['typescript/bin/tsc', '-p', '.'] as const;
const WRITE = "import { test } from 'node:test';\nasync function write(): Promise<void> {}\n";

/** Runs one of them over a folder with only this source; gives its exit code and what it prints. */
function look(
  context: TestContext,
  source: string,
  [program, ...flags]: readonly [string, ...string[]],
): { readonly code: number | null; readonly output: string } {
  const folder = makeTempFolder(context);
  const packages = join(projectFolder, 'node_modules');
  symlinkSync(packages, join(folder, 'node_modules'), 'dir');
  const config = { extends: join(projectFolder, 'tsconfig.json'), include: ['engine'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  mkdirSync(join(folder, 'engine'));
  writeFileSync(join(folder, 'engine', 'source.ts'), source);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(packages, program), ...flags], {
    cwd: folder,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  return { code: status, output: `${stdout}${stderr}` };
}

const FAULTS: readonly (readonly [rule: string, source: string])[] = [
  ['no-floating-promises', `${WRITE}export function save(): void {\n  write();\n}\n`],
  ['no-misused-promises', `${WRITE}export function save(): boolean {\n  return write() ? true : false;\n}\n`],
  [
    'switch-exhaustiveness-check',
    `export function name(kind: 'a' | 'b'): string | undefined {
  switch (kind) {
    case 'a':
      return 'A';
  }
  return undefined;
}
`,
  ],
];

for (const [rule, source] of FAULTS)
  test(`the linter finds what ${rule} is against`, (context) => {
    const { code, output } = look(context, source, LINTER);
    assert.match(output, new RegExp(rule));
    assert.equal(code, 1);
  });

test('the linter lets promises be that are awaited, told to be ignored, or those of a test', (context) => {
  const source = `${WRITE}export async function save(): Promise<void> {\n  await write();\n  void write();\n}\ntest('save', save);\n`;
  const { code, output } = look(context, source, LINTER);
  assert.equal(code, 0, output);
});

test('the compiler finds a value of another type, and an index that may be missing', (context) => {
  const { code, output } = look(
    context,
    "export const count: number = 'one';\nexport const first = ([1] as number[])[0].toFixed();\n",
    COMPILER,
  );
  assert.match(output, /TS2322/);
  assert.match(output, /TS2532/);
  assert.notEqual(code, 0);
});
