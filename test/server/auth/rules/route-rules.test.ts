import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Engine } from '../../../../engine/index.ts';
import { needOf, ROUTE_NEEDS } from '../../../../server/auth/rules/route-rules.ts';
import { openDoors } from '../../../../server/doors/doors.ts';
import { createRoutes } from '../../../../server/routes/all-routes.ts';
import { answerStyle, type Service } from '../../../../server/routes/service/service.ts';

const service: Service = {
  engine: {} as Engine, // No route is called here.
  nowMs: () => 0,
  style: answerStyle(undefined),
  handling: 'strict',
  maxBodyBytes: 1,
};
const routes = [...createRoutes(service), ...openDoors(service, []).routes];

test('every route has a rule, and every rule a route', () => {
  const routed = routes.map(({ method, pattern }) => `${method} ${pattern.replace('...}', '}')}`);
  assert.deepEqual(Object.keys(ROUTE_NEEDS).sort(), routed.sort());
  for (const { method, pattern } of routes) assert.ok(needOf(method, pattern));
});

test('a route without a rule is not served', () => {
  assert.throws(() => needOf('GET', '/api/secrets'), /BUG: GET \/api\/secrets has no entry/);
  assert.throws(() => needOf('GET', 'toString'), /BUG/);
});

/** Reads whose parameters are a body; at /mcp each tool asks for what it needs; statements at /query make nothing. */
const READS_BY_BODY = /\/(read|statistics|changes|mcp|query)$|^POST \/(i3x|prometheus|grafana)\//;

test('whatever changes something needs more than to read', () => {
  for (const [key, need] of Object.entries(ROUTE_NEEDS)) {
    // Who writes may delete the views that are their own (the route asks), and annotations.
    if (key.startsWith('DELETE ')) assert.equal(need, /\{(view|annotation)\}/.test(key) ? 'write' : 'admin', key);
    if (key.startsWith('PUT ')) assert.equal(need, 'write', key);
    if (key === 'POST /auth/token')
      assert.equal(need, 'client'); // It changes nothing.
    else if (key.startsWith('POST ') && !READS_BY_BODY.test(key)) assert.ok(need === 'write' || need === 'admin', key);
    if (key.includes('{dataset}')) assert.ok(need !== 'page' && need !== 'probe', key);
  }
});

test('the table in docs/security.md is that of the code', () => {
  const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `((?:GET|POST|PUT|DELETE) [^`]+)` \| `(\w+)`/gm)].map(([, key, need]) => [
    key,
    need,
  ]);
  assert.deepEqual(documented, Object.entries(ROUTE_NEEDS));
});
