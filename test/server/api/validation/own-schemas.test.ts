// The schemas that the server checks with are themselves right: it takes that for granted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMPONENT_SCHEMAS } from '../../../../server/api/openapi/components.ts';
import { createAjv } from '../../../../server/api/validation/validate.ts';
import { FILE_SCHEMA } from '../../../../server/auth/tokens/token-file.ts';
import { TOOLS } from '../../../../server/doors/mcp/tools/all-tools.ts';
import { MQTT_CONFIG_SCHEMA } from '../../../../server/doors/mqtt/config/config-schema.ts';
import { HEAD_SCHEMA } from '../../../../server/views/view-file.ts';

const ajv = createAjv('all faults', { checksSchemas: true });

test('each of them is valid by the schema of schemas', () => {
  const schemas = {
    ...COMPONENT_SCHEMAS,
    ...Object.fromEntries(TOOLS.map((tool) => [tool.name, tool.arguments])),
    'token file': FILE_SCHEMA,
    'head of a view': HEAD_SCHEMA,
    'MQTT configuration': MQTT_CONFIG_SCHEMA,
  };
  assert.ok(Object.keys(schemas).length > 40);
  for (const [name, schema] of Object.entries(schemas))
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`);
});

test('one with a fault is not', () => {
  assert.equal(ajv.validateSchema({ type: 'objekt' }), false);
});
