// Builds the program: its modules and those of the packages that it uses as JavaScript in a few files, which are read faster at
// a start than a file for each, and the files it opens as it runs. Nothing else is needed to run the package; what a clone runs
// finds the binaries of uWebSockets and the pages of Swagger where they are installed.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { projectFolder } from './dependencies.mjs';
import { packageFolderOf, writeNotices } from './third-party-notices.mjs';
import { copyUwsPackages, UWS_PACKAGES } from './uws-package.mjs';

/** What is started, or loaded by its name: everything else is found from there. */
const ENTRIES = [
  'scripts/run-varve.mjs',
  'server/main.ts',
  'simulator/main.ts',
  'simulator/demo.ts',
  'engine/encoder/encoding-work.ts',
  'server/uws/uws-builds.ts',
];
/** Files that are opened by a path relative to the module that opens them: such modules stay where they are. */
const OPENED = ['engine/io/worker-thread.cjs', 'demo/plant.json', 'server/explorer/dist'];
/** What tells such modules. */
const OPENS_BESIDE = /\bimport\.meta\b/;
const SWAGGER_FILES = [
  'package.json',
  'LICENSE',
  'NOTICE',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'favicon-16x16.png',
  'favicon-32x32.png',
];
/** Packages whose code is in the built page. */
const PAGE_PACKAGES = ['fflate', 'preact', 'uplot'];
/** Sought as it runs and not needed: a binary that is compiled on the user's machine. */
const LEFT_OUT = ['msgpackr-extract', 'bufferutil', 'utf-8-validate'];
/** Found where they are installed, beside what is built: their modules choose others as they run, by names that no build sees. */
const BESIDE = [/^node-opcua-/];
/** A copy of Node's streams for browsers: its modules load each other in circles, which the build cannot keep. */
const NODE_STREAMS = { 'readable-stream': 'node:stream' };

/** What a clone runs, into a new folder below its node_modules. The Explorer page is left out where it is not built. */
export async function buildForClone(folder) {
  const { imports } = readManifest();
  await writeModules(folder);
  for (const path of OPENED.filter((path) => existsSync(join(projectFolder, path))))
    copyInto(folder, path, join(projectFolder, path));
  writeManifest(folder, imports);
}

/** Replaces `folder`. Gives what is in it: the number of files, and their bytes. */
export async function buildProgram(folder) {
  rmSync(folder, { recursive: true, force: true });
  if (absentPackages().length > 0)
    throw new Error(
      `the package needs all optional packages, and some are not installed: ${absentPackages().join(' ')}`,
    );
  const modulePaths = await writeModules(folder);
  for (const path of OPENED) copyInto(folder, path, join(projectFolder, path));
  const swaggerFolder = join(projectFolder, 'node_modules', 'swagger-ui-dist');
  for (const name of SWAGGER_FILES) copyInto(folder, join('swagger-ui', name), join(swaggerFolder, name));
  const packagesFolder = join(projectFolder, 'node_modules');
  const builds = join(folder, 'server', 'uws', 'uws-builds.js');
  const uwsImports = await copyUwsPackages(packagesFolder, join(folder, 'uws'), builds);
  writeManifest(folder, { ...uwsImports, '#swagger-ui/*': './swagger-ui/*' });
  const uwsFolders = Object.values(UWS_PACKAGES).map((name) => join(packagesFolder, name));
  const pageFolders = PAGE_PACKAGES.map((name) => join(projectFolder, 'node_modules', name));
  const ownFolders = modulePaths.map(packageFolderOf).filter((path) => path !== undefined);
  writeNotices(join(folder, 'THIRD-PARTY-NOTICES.txt'), [...ownFolders, ...pageFolders, swaggerFolder, ...uwsFolders]);
  return measure(folder);
}

/** Gives the paths of all modules that went in. */
async function writeModules(folder) {
  const bundle = await rolldown({
    cwd: projectFolder,
    input: Object.fromEntries(ENTRIES.map((path) => [withoutEnding(path), path])),
    platform: 'node',
    external: [...LEFT_OUT, ...BESIDE, ...absentPackages()],
    // Packages keep their place below the project, also where a link leads to them.
    resolve: { symlinks: false, alias: NODE_STREAMS },
    preserveEntrySignatures: 'allow-extension',
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`the build has a warning: ${log.message}`);
    },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => (name.includes('/') ? '[name].js' : 'chunks/[name].js'),
    codeSplitting: {
      // What is loaded later, or by one command only, stays apart.
      includeDependenciesRecursively: false,
      groups: [
        { debugName: 'packages', test: (path) => packageFolderOf(path) !== undefined, name: vendorName },
        { debugName: 'modules in their place', test: opensBeside, name: pathInProgram },
      ],
    },
  });
  await bundle.close();
  removeMapsBelow(join(folder, 'vendor'));
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/**
 * Packages of one door or one kind of copy that are not installed, with what is in them: whoever asks for what needs them is
 * told so. The package of Varve has them all.
 */
function absentPackages() {
  const names = Object.keys(readManifest().optionalDependencies);
  const absent = names.filter((name) => !existsSync(join(projectFolder, 'node_modules', name)));
  return absent.map((name) => new RegExp(`^${name}(/|$)`));
}

/** Not for what the builder itself adds, which is no file. */
function opensBeside(path) {
  return isAbsolute(path) && OPENS_BESIDE.test(readFileSync(path, 'utf8'));
}

function pathInProgram(path) {
  return withoutEnding(relative(projectFolder, path));
}

function vendorName(path) {
  return join('vendor', relative(join(projectFolder, 'node_modules'), packageFolderOf(path)));
}

/** Removes source maps of other packages: they lead to files that nobody has. */
function removeMapsBelow(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name.endsWith('.map')) rmSync(join(entry.parentPath ?? entry.path, entry.name));
}

function withoutEnding(path) {
  return path.replace(/\.(ts|js|mjs|cjs)$/, '');
}

function copyInto(folder, path, source) {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target, { recursive: true, filter: (path) => !basename(path).startsWith('.') });
}

/** What the modules find as their package.json: the version, and where the packages lie that are loaded by name. */
function writeManifest(folder, imports) {
  const { name, version } = readManifest();
  const manifest = { name: `${name}-program`, version, type: 'module', imports };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function readManifest() {
  return JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
}

function measure(folder) {
  const sizes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).size);
  return { fileCount: sizes.length, sizeBytes: sizes.reduce((sum, size) => sum + size, 0) };
}
