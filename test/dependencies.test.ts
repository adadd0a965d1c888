// Facts about package.json, package-lock.json and the install that `npm ci` and other machines depend on.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface LockedPackage {
  readonly version: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
}

const projectFolder = new URL('../', import.meta.url);
const lock = JSON.parse(readFileSync(new URL('package-lock.json', projectFolder), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const manifest = JSON.parse(readFileSync(new URL('package.json', projectFolder), 'utf8')) as LockedPackage & {
  readonly allowScripts: Readonly<Record<string, boolean>>;
};

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

test('nothing is fetched for a user of the package: it carries what it needs', () => {
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies']) {
    assert.equal(Object.hasOwn(manifest, kind), false, kind);
  }
});

test('every direct dependency is pinned to one version', () => {
  const wanted = Object.entries(manifest.devDependencies ?? {});
  assert.ok(wanted.length > 10);
  for (const [name, version] of wanted) {
    assert.match(version, /^(npm:[\w./@-]+@)?\d+\.\d+\.\d+$/, name);
  }
});

test('no install script of a dependency is allowed', () => {
  const withScripts = Object.entries(lock.packages).filter(([, entry]) => entry.hasInstallScript);
  const names = withScripts.map(([path]) => path.replace(/^.*node_modules\//, ''));
  assert.ok(names.length > 0);
  assert.deepEqual(manifest.allowScripts, Object.fromEntries(names.map((name) => [name, false])));
});
