// The OpenAPI descriptions of both modes pass the recommended rules of a linter.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { buildOpenApi, type DescribedMode } from '../../../../server/api/openapi/document.ts';

const MODES: readonly DescribedMode[] = ['default', 'timebase'];

/** Errors and warnings, each as `<rule> at <pointer>: <message>`. */
async function faultsOf(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
}

for (const mode of MODES) {
  test(`the description of the mode ${mode} passes the recommended rules`, async () => {
    assert.deepEqual(await faultsOf(buildOpenApi('1.2.3', mode)), []);
  });
}

test('what breaks a rule would be noticed', async () => {
  const document = JSON.parse(JSON.stringify(buildOpenApi('1.2.3', 'default'))) as {
    paths: Record<string, Record<string, { security?: unknown; operationId: string }>>;
  };
  const health = document.paths['/health']?.get;
  assert.ok(health);
  delete health.security;
  health.operationId = 'ready';
  const rules = (await faultsOf(document)).map((fault) => fault.split(' ')[0]);
  assert.deepEqual([...new Set(rules)].sort(), ['operation-operationId-unique', 'security-defined']);
});
