import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AUDIT_ACTIONS, Audit } from '../../../../server/auth/audit/audit.ts';

const ACTOR = { tokenId: '3f9a1c2e', remoteAddress: '10.0.0.7' };

function collecting(): { audit: Audit; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  return { audit: new Audit({ info: (fields, msg) => lines.push({ ...fields, msg }) }), lines };
}

test('a line says what was done by whom to what', () => {
  const { audit, lines } = collecting();
  audit.done(ACTOR, 'dataset.delete', { dataset: 'Line 1', note: undefined });
  audit.done({ tokenId: undefined, remoteAddress: undefined }, 'token.create', { subject: 'x' });
  assert.deepEqual(lines, [
    {
      audit: true,
      action: 'dataset.delete',
      token: '3f9a1c2e',
      remote: '10.0.0.7',
      dataset: 'Line 1',
      msg: 'Dataset deleted.',
    },
    { audit: true, action: 'token.create', token: null, remote: null, subject: 'x', msg: 'Token created.' },
  ]);
});

test('names of clients do not fill the log', () => {
  const { audit, lines } = collecting();
  const tags = Array.from({ length: 1000 }, (_, i) => `T${i}`);
  audit.done(ACTOR, 'tags.delete', { dataset: 'x'.repeat(9999), tags });
  const [{ tags: shown, dataset } = {}] = lines as { tags?: string[]; dataset?: string }[];
  assert.deepEqual(shown, tags.slice(0, 20));
  assert.equal(dataset?.length, 201);
});

test('like refusals are one line a minute, and the next says how many were left out', () => {
  const { audit, lines } = collecting();
  for (let i = 0; i < 500; i++) audit.refused(ACTOR, 'unknown token', { path: '/' }, i);
  assert.equal(lines.length, 1);
  audit.refused(ACTOR, 'unknown token', { path: '/' }, 60_000);
  audit.refused(ACTOR, 'unknown token', { path: '/' }, 200_000);
  assert.deepEqual(
    lines.map(({ omitted }) => omitted),
    [undefined, 499, undefined],
  );
});

test('refusals with another reason, token or network are lines of their own', () => {
  const { audit, lines } = collecting();
  audit.refused(ACTOR, 'no token', {}, 0);
  audit.refused(ACTOR, 'not permitted', {}, 0);
  audit.refused({ ...ACTOR, tokenId: undefined }, 'no token', {}, 0);
  audit.refused({ ...ACTOR, remoteAddress: '10.0.0.8' }, 'no token', {}, 0);
  assert.equal(lines.length, 4);
});

test('the actions in docs/security.md are those of the code', () => {
  const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('| Action |'));
  const documented = [...table.matchAll(/^\| `([a-z.]+)` \|/gm)].map(([, action]) => action);
  assert.deepEqual(documented, Object.keys(AUDIT_ACTIONS));
});
