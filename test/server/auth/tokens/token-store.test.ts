// The tokens in force while the file changes under a running server.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { changeTokenFile } from '../../../../server/auth/tokens/token-disk.ts';
import { TokenFileError } from '../../../../server/auth/tokens/token-file.ts';
import { type TokenChange, TokenStore } from '../../../../server/auth/tokens/token-store.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';
import { makeToken } from '../support/access-server.ts';

const NOW_MS = Date.UTC(2026, 5, 1);
const first = makeToken('read', ['*']);
const second = makeToken('write', ['*']);

interface Opened {
  readonly path: string;
  readonly store: TokenStore;
  readonly changes: TokenChange[];
  readonly faults: string[];
}

function openStore(context: TestContext, fill: (path: string) => void): Opened {
  const path = join(makeTempFolder(context), 'tokens.json');
  fill(path);
  const changes: TokenChange[] = [];
  const faults: string[] = [];
  const store = TokenStore.open(path, {
    changed: (found) => changes.push(...found),
    failed: (message) => faults.push(message),
  });
  return { path, store, changes, faults };
}

function described(changes: readonly TokenChange[]): (readonly [string, string])[] {
  return changes.map(({ action, entry }) => [action, entry.id]);
}

test('a token is valid, unknown, revoked or expired', (context) => {
  const revoked = makeToken('admin', ['*'], { revoked: '2026-01-01T00:00:00.000Z' });
  const expiring = makeToken('admin', ['*'], { expires: new Date(NOW_MS).toISOString() });
  const { store } = openStore(context, (path) =>
    changeTokenFile(path, () => [first.entry, revoked.entry, expiring.entry]),
  );
  const kindOf = (text: string, nowMs = NOW_MS): string => store.verify(text, nowMs).kind;
  assert.deepEqual(store.verify(first.token, NOW_MS), {
    kind: 'valid',
    entry: first.entry,
    untilMs: Number.POSITIVE_INFINITY,
  });
  assert.equal(kindOf(revoked.token), 'revoked');
  assert.equal(kindOf(expiring.token, NOW_MS - 1), 'valid');
  assert.equal(kindOf(expiring.token), 'expired');
  for (const text of ['', 'x', second.token, `${first.token} `, first.token.slice(1), first.token.toUpperCase()]) {
    assert.equal(kindOf(text), 'unknown', text);
  }
  const wrongSecret = `${revoked.token.slice(0, 15)}${'A'.repeat(43)}`;
  assert.equal(kindOf(wrongSecret), 'unknown', 'who has only the id learns nothing of it');
});

test('without a file access control is off; it goes on when one appears, and never off again', async (context) => {
  const { path, store, changes, faults } = openStore(context, () => {});
  await store.check();
  assert.equal(store.isOn, false);
  changeTokenFile(path, () => [first.entry]);
  await store.check();
  assert.equal(store.isOn, true);
  assert.deepEqual(described(changes), [['token.create', first.entry.id]]);
  rmSync(path);
  await store.check();
  await store.check();
  assert.equal(store.isOn, true);
  assert.equal(store.verify(first.token, NOW_MS).kind, 'valid');
  assert.equal(faults.length, 1);
  assert.match(faults[0] ?? '', /is gone\. The tokens that were read before stay in force\./);
});

test('each change of the file is told once', async (context) => {
  const { path, store, changes } = openStore(context, (at) => changeTokenFile(at, () => [first.entry]));
  await store.check();
  assert.deepEqual(changes, []);
  changeTokenFile(path, (tokens) => [...tokens, second.entry]);
  await store.check();
  await store.check();
  changeTokenFile(path, () => [{ ...first.entry, revoked: '2026-02-01T00:00:00.000Z' }]);
  await store.check();
  changeTokenFile(path, () => [{ ...first.entry, revoked: '2026-02-01T00:00:00.000Z', name: 'x' }]);
  await store.check();
  assert.deepEqual(described(changes), [
    ['token.create', second.entry.id],
    ['token.revoke', first.entry.id],
    ['token.remove', second.entry.id],
    ['token.change', first.entry.id],
  ]);
  assert.equal(store.verify(first.token, NOW_MS).kind, 'revoked');
  assert.equal(store.verify(second.token, NOW_MS).kind, 'unknown');
});

test('a file damaged while the server runs changes nothing, and the next good one counts', async (context) => {
  const { path, store, changes, faults } = openStore(context, (at) => changeTokenFile(at, () => [first.entry]));
  for (const damage of ['', '{"version":1,"tokens":[{}]}', 'x']) {
    writeFileSync(path, damage);
    await store.check();
    await store.check();
    assert.equal(store.verify(first.token, NOW_MS).kind, 'valid');
  }
  assert.equal(faults.length, 3);
  assert.deepEqual(changes, []);
  rmSync(path);
  changeTokenFile(path, () => [second.entry]);
  await store.check();
  assert.equal(store.verify(second.token, NOW_MS).kind, 'valid');
});

test('a damaged file that appears later does not turn access control on, and is said', async (context) => {
  const { path, store, faults } = openStore(context, () => {});
  writeFileSync(path, '{');
  await store.check();
  assert.equal(store.isOn, false);
  assert.match(faults[0] ?? '', /is damaged: .*Access control stays off/);
});

test('a damaged file at the start is no start', (context) => {
  assert.throws(() => openStore(context, (path) => writeFileSync(path, '{')), TokenFileError);
});

test('the file is looked at by itself', async (context) => {
  const { path, store } = openStore(context, () => {});
  store.watch();
  context.after(() => store.close());
  changeTokenFile(path, () => [first.entry]);
  const deadlineMs = performance.now() + 60_000;
  while (!store.isOn && performance.now() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(store.isOn, true);
});

test("the server's own token is in no file, and valid beside those of the file", (context) => {
  const { store } = openStore(context, (path) => changeTokenFile(path, () => [first.entry]));
  store.addOwn(second.entry);
  assert.equal(store.verify(second.token, NOW_MS).kind, 'valid');
  assert.equal(store.verify(first.token, NOW_MS).kind, 'valid');
  assert.equal(store.count, 1);
});
