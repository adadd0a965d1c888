import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../../../engine/index.ts';
import { COMPONENT_SCHEMAS, HEADERS } from '../../../../server/api/openapi/components.ts';
import { buildOpenApi, OPERATIONS } from '../../../../server/api/openapi/document.ts';
import { createAjv } from '../../../../server/api/validation/validate.ts';
import { createRoutes } from '../../../../server/routes/all-routes.ts';
import { QUERY_PARAMETER_NAMES } from '../../../../server/routes/request/query-parameters.ts';
import { answerStyle } from '../../../../server/routes/service/service.ts';

/** No route is called here. */
const noEngine = {} as Engine;

const routes = createRoutes({
  engine: noEngine,
  nowMs: () => 0,
  style: answerStyle(undefined),
  handling: 'strict',
  maxBodyBytes: 1,
});

const ajv = createAjv('all faults', { checksSchemas: true });
ajv.addVocabulary(['components']);

function assertValid(schema: string, value: unknown, what: string): void {
  const isValid = ajv.validate(
    { $ref: `#/components/schemas/${schema}`, components: { schemas: COMPONENT_SCHEMAS } },
    value,
  );
  assert.ok(isValid, `${what}: ${ajv.errorsText()}`);
}

test('every route is described, and every described operation is a route', () => {
  const routed = routes.map(({ method, pattern }) => `${method} ${pattern.replace('...}', '}')}`).sort();
  const described = OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort();
  assert.deepEqual(described, routed);
  assert.ok(routed.length >= 24, `only ${routed.length} routes`);
});

test('every query parameter that is described is known in any case, and the other way round', () => {
  const described = OPERATIONS.flatMap(({ parameters }) => parameters ?? []).filter((one) => one.in === 'query');
  assert.deepEqual([...new Set(described.map(({ name }) => name))].sort(), [...QUERY_PARAMETER_NAMES].sort());
});

test('every example validates against its schema', () => {
  let exampleCount = 0;
  for (const { id, body, answers } of OPERATIONS) {
    for (const [name, example] of Object.entries(body?.examples ?? {})) {
      assertValid(body?.schema ?? '', example, `${id}, body ${name}`);
      exampleCount++;
    }
    for (const { status, schema, example } of answers) {
      if (schema === undefined) continue;
      assertValid(schema, example, `${id}, answer ${status}`);
      exampleCount++;
    }
  }
  assert.ok(exampleCount >= 30, `only ${exampleCount} examples`);
});

test('a wrong example would be noticed', () => {
  assert.throws(() => assertValid('TagData', { t: { n: 'x' }, s: '', e: '', d: [{ t: 5, q: 192 }] }, 'wrong'));
  assert.throws(() => assertValid('TvqMap', { T: [{ x: 1 }] }, 'wrong'));
});

test('every body and every JSON answer has an example, and every operation its own id', () => {
  for (const { id, body, answers } of OPERATIONS) {
    if (body !== undefined) assert.ok(Object.keys(body.examples).length > 0, id);
    for (const { schema, example } of answers) assert.equal(schema === undefined, example === undefined, id);
    for (const name of answers.flatMap(({ headers }) => headers ?? [])) assert.ok(HEADERS[name], `${id}: ${name}`);
  }
  assert.equal(new Set(OPERATIONS.map(({ id }) => id)).size, OPERATIONS.length);
});

test('the document is whole: every reference leads somewhere', () => {
  const document = JSON.parse(JSON.stringify(buildOpenApi('1.2.3', 'default'))) as {
    openapi: string;
    info: { version: string };
    components: { schemas: Record<string, unknown> };
    paths: Record<string, { get?: { responses: Record<string, { content?: object }> } }>;
  };
  assert.equal(document.openapi, '3.1.0');
  const list = document.paths['/api/datasets/{dataset}/annotations']?.get;
  assert.deepEqual(Object.keys(list?.responses['200']?.content ?? {}), ['application/json', 'text/csv']);
  assert.equal(document.info.version, '1.2.3');
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  assert.ok(references.length > 40);
  for (const [, name = ''] of references) assert.ok(document.components.schemas[name], name);
});

interface Described {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: { readonly TvqAnswer: { readonly required: readonly string[] } } };
}

interface DescribedOperation {
  readonly description?: string;
  readonly parameters: readonly { readonly name: string; readonly schema: { readonly default?: unknown } }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

test('the description of --compat timebase says what differs there', () => {
  const [plain, timebase] = (['default', 'timebase'] as const).map((mode) => buildOpenApi('0', mode) as Described);
  assert.ok(plain && timebase);
  const boundaryOf = (described: Described): unknown =>
    described.paths['/api/datasets/{dataset}/data']?.get?.parameters.find(({ name }) => name === 'boundary')?.schema
      .default;
  assert.deepEqual([boundaryOf(plain), boundaryOf(timebase)], ['inside', 'carry']);
  assert.deepEqual(plain.components.schemas.TvqAnswer.required, ['t', 'v', 'q']);
  assert.deepEqual(timebase.components.schemas.TvqAnswer.required, ['t', 'q']);
  assert.ok(plain.paths['/api/datasets']?.post?.responses['409']);
  assert.equal(timebase.paths['/api/datasets']?.post?.responses['409'], undefined);
  const writeOf = (described: Described) => described.paths['/api/datasets/{dataset}/data']?.post?.description;
  assert.notEqual(writeOf(plain), writeOf(timebase));
  assert.match(timebase.info.description, /--compat timebase/);
  assert.deepEqual(Object.keys(plain.paths), Object.keys(timebase.paths));
});

test('every path parameter is described where it occurs', () => {
  const { paths } = buildOpenApi('0', 'default') as {
    paths: Record<string, Record<string, { parameters: { name: string; in: string }[] }>>;
  };
  for (const [path, operations] of Object.entries(paths)) {
    const expected = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters } of Object.values(operations)) {
      assert.deepEqual(
        parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
        expected,
      );
    }
  }
});
