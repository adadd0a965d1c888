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

/** Folders of the engine, lowest first, as docs/architecture.md shows them; a file imports its own folder and those above it here. */
const ENGINE_LAYERS = [
  'engine',
  'engine/format/bytes',
  'engine/format/integers',
  'engine/format/columns',
  'engine/format/record',
  'engine/format/block',
  'engine/format',
  'engine/io',
  'engine/points',
  'engine/annotations',
  'engine/journal',
  'engine/head',
  'engine/encoder',
  'engine/files',
  'engine/reduction',
  'engine/aggregates/input',
  'engine/aggregates',
  'engine/aggregates/statistics',
  'engine/tag',
  'engine/tag/listed',
  'engine/corrections',
  'engine/following',
  'engine/dataset',
  'engine/read',
  'engine/read/late',
  'engine/read/amended',
  'engine/read/ranges',
  'engine/read/aggregated',
  'engine/flush',
  'engine/retention',
  'engine/ingest/accepted',
  'engine/ingest',
  'engine/recovery',
  'engine/maintenance',
  'engine/maintenance/corrections',
  'engine/check',
  'engine/store',
  'engine/index.ts',
];

/** Folders of the server, and the few files beside them that everything may use, in the same order. */
const SERVER_LAYERS = [
  'server/exit-codes.ts',
  'server/log.ts',
  'server/problem.ts',
  'server/count-headers.ts',
  'server/engine-status.ts',
  'server/version.ts',
  'server/settings',
  'server/process',
  'server/patterns',
  'server/http/memory',
  'server/http/contract',
  'server/codec/scalars',
  'server/codec/names',
  'server/codec/body',
  'server/codec/line-protocol',
  'server/codec/read-json',
  'server/codec/write-json',
  'server/codec/msgpack',
  'server/http/guard',
  'server/http/body',
  'server/http/compression',
  'server/api/validation',
  'server/auth/audit',
  'server/auth/rules',
  'server/auth/tokens',
  'server/http/routing',
  'server/http',
  'server/uws',
  'server/node',
  'server/transport.ts',
  'server/auth',
  'server/views',
  'server/api/schemas',
  'server/api/openapi/components.ts',
  'server/api/openapi/operation.ts',
  'server/api/openapi/parameters.ts',
  'server/api/openapi/operations',
  'server/api/openapi',
  'server/live',
  'server/metrics',
  'server/calculation',
  'server/routes/service',
  'server/routes/request',
  'server/routes/answer',
  'server/routes/rows',
  'server/routes/parquet',
  'server/routes/read',
  'server/routes/write',
  'server/routes/annotations',
  'server/routes/docs',
  'server/routes',
  'server/doors/door.ts',
  'server/doors/readable',
  'server/doors/i3x/elements',
  'server/doors/i3x/subscriptions',
  'server/doors/i3x',
  'server/doors/prometheus/promql',
  'server/doors/prometheus/evaluation',
  'server/doors/prometheus',
  'server/doors/grafana',
  'server/doors/mcp/inner-call.ts',
  'server/doors/mcp/tools',
  'server/doors/mcp',
  'server/doors/line-protocol',
  'server/doors/mqtt/mapping',
  'server/doors/mqtt/sparkplug',
  'server/doors/mqtt/config',
  'server/doors/mqtt',
  'server/doors',
  'server/store',
  'server/commands/backup',
  'server/commands/collect',
  'server/commands/doctor',
  'server/commands/transfer',
  'server/commands/export',
  'server/commands/import/recognise',
  'server/commands/import/points',
  'server/commands/import/point-batch.ts',
  'server/commands/import/point-sender.ts',
  'server/commands/import/parquet',
  'server/commands/import/from',
  'server/commands/import',
  'server/commands',
  'server',
];

/** Folders of the Explorer page, which is built by itself and is a part of its own. */
const EXPLORER_LAYERS = [
  'server/explorer/styles',
  'server/explorer/model/time',
  'server/explorer/model/tags',
  'server/explorer/model/values',
  'server/explorer/model/trend',
  'server/explorer/model/views',
  'server/explorer/model/export',
  'server/explorer/api',
  'server/explorer/paint',
  'server/explorer/state/app',
  'server/explorer/state/datasets',
  'server/explorer/state/user',
  'server/explorer/state/trend',
  'server/explorer/state/views',
  'server/explorer/state/export',
  'server/explorer/components/controls',
  'server/explorer/annotations',
  'server/explorer/paper',
  'server/explorer/corrections',
  'server/explorer/statistics',
  'server/explorer/cursors',
  'server/explorer/calculated',
  'server/explorer/states',
  'server/explorer/spread',
  'server/explorer/components/trend',
  'server/explorer/components/board',
  'server/explorer/components/sidebar',
  'server/explorer/components/frame',
  'server/explorer/components/dialogs',
  'server/explorer/components',
  'server/explorer',
];

/** Folders of the simulator, and the few files beside them that several folders use. */
const SIMULATOR_LAYERS = [
  'simulator/clock.ts',
  'simulator/config/document',
  'simulator/errors.ts',
  'simulator/config/fields',
  'simulator/config',
  'simulator/generate',
  'simulator/sink.ts',
  'simulator/wire',
  'simulator/state',
  'simulator/collector',
  'simulator',
];

const REPLICATION_LAYERS = [
  'replication/sink.ts',
  'replication/documents.ts',
  'replication/log-entries.ts',
  'replication/turns.ts',
  'replication/edge',
  'replication/job',
  'replication/clickhouse',
  'replication/parquet/stores',
  'replication/parquet',
  'replication/varve/http',
  'replication/varve',
  'replication',
];

const CENTRE_LAYERS = [
  'centre/points/row-reader.ts',
  'centre/catalogue',
  'centre/points',
  'centre/ranges',
  'centre/aggregated',
  'centre',
];

const EXPLORER = 'server/explorer';

/** The parts whose folders have an order. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
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

function layerOf(layers: readonly string[], path: string): number {
  const file = layers.indexOf(path);
  const layer = file >= 0 ? file : layers.indexOf(dirname(path));
  assert.notEqual(layer, -1, `${path} lies in no layer`);
  return layer;
}

function layersOf(path: string): readonly string[] | undefined {
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
    ['server/explorer/state/app/store.ts', 'server/explorer/components/app.tsx'],
    ['server/explorer/components/controls/modal.tsx', 'server/explorer/components/dialogs/dialogs.tsx'],
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
