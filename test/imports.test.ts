// Holds the table of who may import whom, and the few modules that only one place may use.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const projectFolder = fileURLToPath(new URL('..', import.meta.url));
const SOURCE_FOLDERS = ['engine', 'server', 'simulator', 'bench', 'scripts', 'test'];
const FEWEST_FILES = 30;

/** Layers of the engine, lowest first; a file imports its own layer and those below. */
const ENGINE_LAYERS = ['engine', 'engine/format', 'engine/io', 'engine/journal', 'engine/store', 'engine/index.ts'];

/** What each part may import of the project besides itself. `test` and `bench` may import everything. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  server: ['engine/index.ts'],
  simulator: [],
  scripts: ['engine/index.ts', 'server', 'simulator'],
};

/** Who may import a module; a path that ends with `/` is a folder. Test files may import every one. */
const RESERVED_MODULES: readonly (readonly [module: RegExp, within: RegExp, importers: readonly string[]])[] = [
  [/^(node:)?fs(\/promises)?$/, /^engine\//, ['engine/io/']],
  [/^(node:)?(net|http|https|child_process|worker_threads)$/, /^engine\//, ['engine/io/']],
  [/^uWebSockets\.js$/, /./, ['server/uws/uws-transport.ts']],
];

const EXIT_CALLERS = ['server/main.ts', 'simulator/main.ts'];

interface SourceFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const IMPORT_PATTERN = /(?:^|[\s;}])(?:import|export)\s[^'"`;]*?from\s*'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g;

function collectSources(): SourceFile[] {
  return SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.split(sep).join('/')}`)
      .filter((path) => /\.m?ts$/.test(path))
      .map(readSource),
  );
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(projectFolder, path), 'utf8');
  const imports = [...text.matchAll(IMPORT_PATTERN)].map((match) => (match[1] ?? match[2]) as string);
  return { path, text, imports };
}

/** The project path that a relative import means; undefined for packages. */
function resolveImport(importer: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return normalize(join(dirname(importer), specifier))
    .split(sep)
    .join('/');
}

function layerOf(path: string): number {
  if (path === 'engine/index.ts') return ENGINE_LAYERS.length - 1;
  const layer = ENGINE_LAYERS.indexOf(dirname(path));
  assert.notEqual(layer, -1, `${path} lies in no layer of the engine`);
  return layer;
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(place.endsWith('/') ? place : `${place}/`);
}

function partOf(path: string): string {
  return path.split('/')[0] as string;
}

function importFault(importer: string, target: string): string | undefined {
  const part = partOf(importer);
  if (part === 'engine' && target.startsWith('engine/')) {
    return layerOf(target) <= layerOf(importer) ? undefined : `${importer} imports upwards: ${target}`;
  }
  const allowed = ALLOWED[part];
  if (allowed === undefined || isWithin(target, part) || allowed.some((place) => isWithin(target, place)))
    return undefined;
  return `${importer} must not import ${target}`;
}

const sources = collectSources();

test('the search for sources finds the files of every part', () => {
  assert.ok(sources.length >= FEWEST_FILES, `looked at ${sources.length} files; want ${FEWEST_FILES} or more`);
  for (const part of ['engine', 'server', 'test']) {
    assert.ok(
      sources.some((source) => partOf(source.path) === part && source.imports.length > 0),
      `no file with an import in ${part}`,
    );
  }
});

test('imports point downwards: types, format, io, journal, store, index, server', () => {
  const faults = sources.flatMap((source) =>
    source.imports.flatMap((specifier) => {
      const target = resolveImport(source.path, specifier);
      return target === undefined ? [] : (importFault(source.path, target) ?? []);
    }),
  );
  assert.deepEqual(faults, []);
});

test('the table itself refuses what it must', () => {
  for (const [importer, target] of [
    ['engine/format/bytes/crc.ts', 'engine/io/vfs.ts'],
    ['engine/types.ts', 'engine/format/bytes/layout.ts'],
    ['engine/head/head.ts', 'engine/index.ts'],
    ['engine/index.ts', 'server/main.ts'],
    ['server/routes/data.ts', 'engine/types.ts'],
    ['simulator/main.ts', 'engine/index.ts'],
    ['simulator/main.ts', 'server/problem.ts'],
    ['server/main.ts', 'bench/workload.ts'],
  ] as const) {
    assert.notEqual(importFault(importer, target), undefined, `${importer} -> ${target}`);
  }
});

test('files, sockets and uWebSockets.js are imported only where they belong', () => {
  const faults = sources
    .filter((source) => partOf(source.path) !== 'test')
    .flatMap((source) =>
      source.imports.flatMap((specifier) =>
        RESERVED_MODULES.filter(([module, within]) => module.test(specifier) && within.test(source.path))
          .filter(([, , importers]) => !importers.some((place) => isWithin(source.path, place)))
          .map(() => `${source.path} imports ${specifier}`),
      ),
    );
  assert.deepEqual(faults, []);
});

test('only the programs themselves end the process', () => {
  const faults = sources
    .filter((source) => ['engine', 'server', 'simulator'].includes(partOf(source.path)))
    .filter((source) => /\bprocess\.(exit|abort|reallyExit)\(/.test(source.text))
    .filter((source) => !EXIT_CALLERS.includes(source.path));
  assert.deepEqual(
    faults.map((source) => source.path),
    [],
  );
});

test('every source file opens with a comment that says what lives there; tests say it in their titles', () => {
  const faults = sources
    .filter((source) => !source.path.endsWith('.test.ts'))
    .filter((source) => !/^(#!.*\n)?(\/\/|\/\*)/.test(source.text));
  assert.deepEqual(
    faults.map((source) => source.path),
    [],
  );
});
