// Facts about package.json, package-lock.json and the install that `npm ci` and other machines depend on.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface LockedPackage {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const projectFolder = new URL('../', import.meta.url);
const lock = JSON.parse(readFileSync(new URL('package-lock.json', projectFolder), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const manifest = JSON.parse(readFileSync(new URL('package.json', projectFolder), 'utf8')) as LockedPackage;

test('the lock file names every optional package of every platform, without which npm ci refuses it', () => {
  const missing = Object.values(lock.packages).flatMap((entry) =>
    Object.keys(entry.optionalDependencies ?? {}).filter((name) => lock.packages[`node_modules/${name}`] === undefined),
  );
  assert.deepEqual(missing, []);
  assert.ok(Object.keys(lock.packages).length > 100);
});

test('the lock file names no registry', () => {
  const resolved = Object.entries(lock.packages).filter(([, entry]) => 'resolved' in entry);
  assert.deepEqual(
    resolved.map(([path]) => path),
    [],
  );
});

test('every direct dependency is pinned to one version', () => {
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const [name, version] of Object.entries(wanted)) {
    assert.match(version, /^(npm:[\w./@-]+@)?\d+\.\d+\.\d+$/, name);
  }
});

test('install scripts of dependencies never run', () => {
  assert.match(readFileSync(new URL('.npmrc', projectFolder), 'utf8'), /^ignore-scripts=true$/m);
});
