// Holds the table of who may import whom, and the few modules that only one place may use.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const projectFolder = fileURLToPath(new URL('..', import.meta.url));
const { PROGRAM_FOLDERS } = (await import(new URL('../scripts/source-folders.mjs', import.meta.url).href)) as {
  readonly PROGRAM_FOLDERS: readonly string[];
};
/** `demo` has files of configuration alone. */
const SOURCE_FOLDERS = [...PROGRAM_FOLDERS.filter((name) => name !== 'demo'), 'bench', 'test'];
const FEWEST_FILES = 30;

/**
 * The layers of a part, lowest first, each with its folders; docs/architecture.md says what they are. A file imports its own
 * layer and those below. A folder stands for all in it but what is named by itself.
 */
type Layers = readonly (readonly string[])[];

const ENGINE_LAYERS: Layers = [
  ['engine'],
  ['engine/format', 'engine/points', 'engine/aggregates'],
  ['engine/io'],
  ['engine/journal', 'engine/files', 'engine/annotations', 'engine/head', 'engine/encoder'],
  ['engine/tag', 'engine/corrections', 'engine/following', 'engine/reduction'],
  ['engine/dataset'],
  ['engine/read'],
  ['engine/flush', 'engine/retention'],
  ['engine/ingest', 'engine/recovery', 'engine/maintenance'],
  ['engine/check', 'engine/store'],
  ['engine/index.ts'],
];

const SERVER_LAYERS: Layers = [
  [
    ...['exit-codes', 'log', 'problem', 'count-headers', 'engine-status', 'version'].map((name) => `server/${name}.ts`),
    ...['settings', 'process', 'patterns'].map((name) => `server/${name}`),
  ],
  ['server/codec'],
  ['server/http', 'server/auth', 'server/api', 'server/views'],
  ['server/uws', 'server/node', 'server/transport.ts'],
  ['server/live', 'server/metrics', 'server/calculation'],
  ['server/routes'],
  ['server/doors'],
  ['server/store'],
  ['server/commands'],
  ['server'],
];

const EXPLORER_LAYERS: Layers = [
  ['server/explorer/styles'],
  ['server/explorer/model'],
  ['server/explorer/api'],
  ['server/explorer/paint'],
  ['server/explorer/state'],
  ['server/explorer/controls'],
  [
    ...['datasets', 'tags', 'sources', 'user', 'views', 'export', 'time-window'].map(
      (name) => `server/explorer/${name}`,
    ),
    ...['trend', 'boards', 'annotations', 'corrections', 'statistics'].map((name) => `server/explorer/${name}`),
    ...['cursors', 'calculated', 'time-in-state', 'distribution', 'paper'].map((name) => `server/explorer/${name}`),
  ],
  ['server/explorer/app'],
  ['server/explorer'],
];

const SIMULATOR_LAYERS: Layers = [
  ['simulator/clock.ts', 'simulator/config'],
  ['simulator/errors.ts', 'simulator/generate', 'simulator/sink.ts'],
  ['simulator/wire', 'simulator/state'],
  ['simulator/collector'],
  ['simulator'],
];

const REPLICATION_LAYERS: Layers = [
  ['replication'],
  ['replication/edge'],
  ['replication/job'],
  ['replication/clickhouse', 'replication/parquet', 'replication/varve'],
  ['replication/open-sink.ts'],
];

const CENTRE_LAYERS: Layers = [
  ['centre/catalogue', 'centre/points'],
  ['centre/ranges', 'centre/intervals'],
  ['centre'],
];

const EXPLORER = 'server/explorer';

/** The parts whose folders have an order. */
const LAYERS: Readonly<Record<string, Layers>> = {
  engine: ENGINE_LAYERS,
  server: SERVER_LAYERS,
  [EXPLORER]: EXPLORER_LAYERS,
  simulator: SIMULATOR_LAYERS,
  replication: REPLICATION_LAYERS,
  centre: CENTRE_LAYERS,
};

/** A folder with more files than these has more than one job. */
const MOST_FILES_A_FOLDER = 20;

/** What each part may import of the project besides itself. `test` and `bench` may import everything. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  client: [],
  disk: [],
  forward: ['client', 'disk'],
  collect: ['client', 'disk', 'forward'],
  engine: ['disk'],
  replication: ['client', 'disk', 'engine/index.ts'],
  centre: ['engine/index.ts', 'replication'],
  server: ['client', 'disk', 'engine/index.ts', 'replication', 'centre', 'collect', 'forward'],
  [EXPLORER]: [],
  simulator: ['client', 'disk', 'forward'],
  scripts: ['engine/index.ts', 'server', 'simulator'],
};

/** Who may import a module; a path that ends with `/` is a folder. Test files may import every one. */
const RESERVED_MODULES: readonly (readonly [module: RegExp, within: RegExp, importers: readonly string[]])[] = [
  [/^(node:)?fs(\/promises)?$/, /^engine\//, ['engine/io/']],
  [/\/disk\//, /^engine\//, ['engine/io/']],
  [/^(node:)?(net|http|https|child_process|worker_threads)$/, /^engine\//, ['engine/io/']],
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
      .filter((path) => /\.(m?ts|tsx)$/.test(path))
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

/** The layer that names the file, or the nearest folder that it is in. */
function layerOf(layers: Layers, path: string): number {
  for (let place = path; place !== '.'; place = dirname(place)) {
    const layer = layers.findIndex((places) => places.includes(place));
    const isOwnPlace = place.includes('/') && place !== EXPLORER;
    if (layer >= 0 && (isOwnPlace || place === dirname(path))) return layer;
  }
  assert.fail(`${path} lies in no layer`);
}

function layersOf(path: string): Layers | undefined {
  return LAYERS[partOf(path)];
}

function targetsOf(source: SourceFile): string[] {
  return source.imports.flatMap((specifier) => resolveImport(source.path, specifier) ?? []);
}

/** Each circle as the way along it, found once: by a walk in depth, which comes back to a file that it has not left. */
function findCircles(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (path: string): void => {
    const from = way.indexOf(path);
    if (from >= 0) circles.push([...way.slice(from), path]);
    if (from >= 0 || done.has(path)) return;
    way.push(path);
    for (const target of targets.get(path) ?? []) visit(target);
    way.pop();
    done.add(path);
  };
  for (const path of targets.keys()) visit(path);
  return circles;
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(place.endsWith('/') ? place : `${place}/`);
}

function partOf(path: string): string {
  return isWithin(path, EXPLORER) ? EXPLORER : (path.split('/')[0] as string);
}

function importFault(importer: string, target: string): string | undefined {
  const part = partOf(importer);
  const layers = layersOf(importer);
  if (layers !== undefined && layers === layersOf(target)) {
    const isDownwards = layerOf(layers, target) <= layerOf(layers, importer);
    return isDownwards ? undefined : `${importer} imports upwards: ${target}`;
  }
  const allowed = ALLOWED[part];
  if (allowed === undefined || partOf(target) === part || allowed.some((place) => isWithin(target, place)))
    return undefined;
  return `${importer} must not import ${target}`;
}

const sources = collectSources();

test('the search for sources finds the files of every part', () => {
  assert.ok(sources.length >= FEWEST_FILES, `looked at ${sources.length} files; want ${FEWEST_FILES} or more`);
  for (const part of [...Object.keys(LAYERS), 'test']) {
    assert.ok(
      sources.some((source) => partOf(source.path) === part && source.imports.length > 0),
      `no file with an import in ${part}`,
    );
  }
});

test('imports point downwards, in the order of the folders', () => {
  const faults = sources.flatMap((source) =>
    targetsOf(source).flatMap((target) => importFault(source.path, target) ?? []),
  );
  assert.deepEqual(faults, []);
});

test('a clone and the image for containers are built from every folder that the program is made of', () => {
  const parts = Object.keys(ALLOWED).map((part) => part.split('/')[0] as string);
  const imageSources = readFileSync(join(projectFolder, '.dockerignore'), 'utf8').split('\n');
  for (const folder of [...parts, ...PROGRAM_FOLDERS]) {
    assert.ok(PROGRAM_FOLDERS.includes(folder), `scripts/source-folders.mjs: ${folder} is missing`);
    assert.ok(imageSources.includes(`!${folder}`), `.dockerignore: ${folder} is missing`);
  }
});

test('no files import each other in a circle, not for a type either', () => {
  assert.deepEqual(findCircles(new Map(sources.map((source) => [source.path, targetsOf(source)]))), []);
});

test('a circle of three files is found, with all of them', () => {
  const circles = findCircles(
    new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
      ['d', []],
    ]),
  );
  assert.deepEqual(circles, [['a', 'b', 'c', 'a']]);
});

test('no folder of the engine, the server, the page or the simulator holds more files than can be seen at once', () => {
  const counts = new Map<string, number>();
  for (const { path } of sources) {
    if (layersOf(path)) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  assert.ok(counts.size > 1);
  assert.deepEqual(
    [...counts].filter(([, count]) => count > MOST_FILES_A_FOLDER),
    [],
  );
});

test('the table itself refuses what it must', () => {
  for (const [importer, target] of [
    ['engine/format/bytes/crc.ts', 'engine/io/vfs.ts'],
    ['engine/types.ts', 'engine/format/bytes/layout.ts'],
    ['engine/head/head.ts', 'engine/index.ts'],
    ['engine/read/reading.ts', 'engine/ingest/append.ts'],
    ['engine/index.ts', 'server/main.ts'],
    ['server/routes/read/read-routes.ts', 'engine/types.ts'],
    ['simulator/main.ts', 'engine/index.ts'],
    ['simulator/main.ts', 'server/problem.ts'],
    ['simulator/config/plant.ts', 'simulator/simulation.ts'],
    ['simulator/config/document/faults.ts', 'simulator/errors.ts'],
    ['server/explorer/model/tags/tag.ts', 'server/explorer/api/historian.ts'],
    ['server/explorer/state/store.ts', 'server/explorer/app/app.tsx'],
    ['server/explorer/controls/modal.tsx', 'server/explorer/app/dialogs.tsx'],
    ['server/explorer/api/http.ts', 'server/problem.ts'],
    ['server/explorer/main.tsx', 'engine/index.ts'],
    ['server/main.ts', 'server/explorer/model/tags/tag.ts'],
    ['server/codec/body/batch-builder.ts', 'server/routes/service/service.ts'],
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
    .filter((source) => layersOf(source.path) !== undefined)
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
