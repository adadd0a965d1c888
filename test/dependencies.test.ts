// Facts about package.json, package-lock.json and the install that `npm ci` and other machines depend on.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
}

const projectFolder = new URL('../', import.meta.url);
interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const lock = readJson('package-lock.json') as Lock;
/** Locks of engines that tests and benchmarks have beside Varve. */
const engineLocks = ['chdb', 'duckdb'].map((name) => readJson(`scripts/engines/${name}/package-lock.json`) as Lock);
const manifest = readJson('package.json') as LockedPackage & {
  readonly allowScripts: Readonly<Record<string, boolean>>;
};

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, projectFolder), 'utf8'));
}

test('the lock file names every optional package of every platform, without which npm ci refuses it', () => {
  const missing = Object.values(lock.packages).flatMap((entry) =>
    Object.keys(entry.optionalDependencies ?? {}).filter((name) => lock.packages[`node_modules/${name}`] === undefined),
  );
  assert.deepEqual(missing, []);
  assert.ok(Object.keys(lock.packages).length > 100);
});

test('the lock files name no registry', () => {
  for (const { packages } of [lock, ...engineLocks]) {
    const resolved = Object.entries(packages).filter(([, entry]) => 'resolved' in entry);
    assert.deepEqual(
      resolved.map(([path]) => path),
      [],
    );
  }
});

test('the lock files of engines have the hash of every package that Linux on x64 needs', () => {
  for (const { packages } of engineLocks) {
    const entries = Object.entries(packages).filter(([path]) => path !== '' && !/(darwin|win32|arm64)/.test(path));
    assert.ok(entries.length > 3);
    for (const [path, { integrity }] of entries) assert.match(integrity ?? '', /^sha512-/, path);
  }
});

test('every direct dependency is pinned to one version', () => {
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  for (const part of [dependencies, optionalDependencies, devDependencies, ...engineLocks.map(rootDependencies)]) {
    const wanted = Object.entries(part ?? {});
    assert.ok(wanted.length > 0);
    for (const [name, version] of wanted)
      assert.match(version, /^(npm:[\w./@-]+@)?\d+\.\d+\.\d+(-(r|unofficial)\.\d+)?$/, name);
  }
});

function rootDependencies({ packages }: Lock): LockedPackage['dependencies'] {
  return packages['']?.dependencies;
}

test('no install script of a dependency is allowed', () => {
  const withScripts = Object.entries(lock.packages).filter(([, entry]) => entry.hasInstallScript);
  const names = withScripts.map(([path]) => path.replace(/^.*node_modules\//, ''));
  assert.ok(names.length > 0);
  assert.deepEqual(manifest.allowScripts, Object.fromEntries(names.map((name) => [name, false])));
});
