// The commands that the docs name exist, and what stands for them in a clone that is not installed yet is said.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { COMMAND_NAMES } from '../../server/commands/commands.ts';
import { projectFolder } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const docsFolder = join(projectFolder, 'docs');
const pages = ['README.md', ...readdirSync(docsFolder).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(join(projectFolder, path), 'utf8') }));
const { scripts, version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly version: string;
};

test('each varve command of the docs is one of the program', () => {
  const named = pages.flatMap(({ path, text }) =>
    // At the start of an indented line, or of a piece of code.
    [...text.matchAll(/(?:^ {4}|`)(?:npx |docker exec varve )?varve ([a-z]+)/gm)].map(([, word = '']) => [path, word]),
  );
  assert.ok(named.length > 20, `${named.length} commands`);
  assert.deepEqual(
    named.filter(([, word = '']) => !COMMAND_NAMES.includes(word)),
    [],
  );
});

test('each npm script of the docs exists', () => {
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/npm run ([\w:-]+\w)/g)].map(([, name = '']) => [path, name]),
  );
  assert.ok(named.length > 20, `${named.length} scripts`);
  assert.deepEqual(
    named.filter(([, name = '']) => scripts[name] === undefined),
    [],
  );
});

test('each campaign and each program of measurements of the docs exists', async () => {
  const programs = { campaign: await programsOf('campaigns'), bench: await programsOf('bench-programs') };
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/npm run (campaign|bench)[ \n]([a-z][\w-]*)/g)].map(([, kind, name = '']) => {
      return { path, name, isThere: Object.hasOwn(programs[kind as keyof typeof programs], name) };
    }),
  );
  assert.ok(named.length > 20, `${named.length} names`);
  assert.deepEqual(
    named.filter(({ isThere }) => !isThere),
    [],
  );
});

type Programs = Readonly<Record<string, readonly [path: string, says: string]>>;

async function programsOf(script: string): Promise<Programs> {
  const module = (await import(pathToFileURL(join(projectFolder, 'scripts', `${script}.mjs`)).href)) as object;
  return Object.values(module)[0] as Programs;
}

test('the page about installing names the files of this version, and its links lead somewhere', () => {
  const { text } = pages.find(({ path }) => path === 'docs/install.md') ?? { text: '' };
  const files = [...text.matchAll(/varve[-_](\d[\w.]*?)(?:\.tgz|_amd64\.deb)/g)].map(([, named]) => named);
  assert.deepEqual([...new Set(files)], [version]);
  const paths = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path);
  assert.ok(paths.length > 1);
  for (const path of paths) assert.ok(existsSync(join(docsFolder, path)), path);
});

test('the command of a clone that is not installed names the one command that is missing, and installs nothing', (context) => {
  const folder = makeTempFolder(context);
  for (const name of ['bin', 'scripts', 'package.json', 'package-lock.json'])
    cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
  mkdirSync(join(folder, 'server'));
  writeFileSync(join(folder, 'server', 'main.ts'), '');
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'bin/varve.mjs'), 'serve'], {
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.equal(
    stderr,
    `This clone of Varve is not installed yet. Run this, then try again: npm ci --ignore-scripts --omit=dev --prefix ${folder}\n`,
  );
  assert.equal(existsSync(join(folder, 'node_modules')), false);
});
