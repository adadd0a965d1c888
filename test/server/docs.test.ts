// Holds docs/api.md and docs/operations.md against the code, both ways.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SYSTEM_ALIASES } from '../../engine/dataset/system-aliases.ts';
import { VALUE_TYPE_NAMES } from '../../engine/index.ts';
import { COMPONENT_SCHEMAS, HEADERS } from '../../server/api/openapi/components.ts';
import { OPERATIONS } from '../../server/api/openapi/document.ts';
import { createAjv } from '../../server/api/validation/validate.ts';
import { usageText } from '../../server/commands/usage.ts';
import { ENGINE_STATUS } from '../../server/engine-status.ts';
import { ExitCode } from '../../server/exit-codes.ts';
import { environmentName, flagForm, SETTING_NAMES, SETTINGS } from '../../server/settings/settings.ts';

const root = new URL('../../', import.meta.url);
const api = readFileSync(new URL('docs/api.md', root), 'utf8');
const operations = readFileSync(new URL('docs/operations.md', root), 'utf8');

/** Cells of the rows of the table whose head begins with these cells; a `\|` stays inside its cell. */
function tableRows(page: string, ...head: string[]): string[][] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head.join(' | ')} |`));
  assert.ok(start >= 0, `no table ${head.join(', ')}`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('`', '')),
  );
}

function errorRows(): { status: number; key: string; code: string }[] {
  return tableRows(api, 'Status', '`key`').map(([status, key = '', , code = '']) => ({
    status: Number(status),
    key,
    code,
  }));
}

test('the error table has every engine code with its status and key, and no others', () => {
  const documented = errorRows()
    .filter(({ code }) => code !== '')
    .map(({ status, key, code }) => [code, { status, key }] as const);
  assert.deepEqual(Object.fromEntries(documented), ENGINE_STATUS);
});

test('every error key in the code is documented, and every documented one is in the code', () => {
  const folder = new URL('server/', root);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  assert.ok(files.length > 50, `only ${files.length} files`);
  const used = new Set<string>();
  for (const file of files) {
    for (const [key] of readFileSync(new URL(file, folder), 'utf8').matchAll(/(?<=')Error\.\w+(?=')/g)) used.add(key);
  }
  assert.deepEqual([...used].sort(), [...new Set(errorRows().map(({ key }) => key))].sort());
});

test('every operation is documented, and every documented one exists', () => {
  const documented = new Set(
    [...api.matchAll(/`((?:GET|POST|PUT|DELETE) \/[^`? ]*)[^`]*`/g)].map(([, operation]) => operation),
  );
  const real = new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`));
  assert.deepEqual([...documented].sort(), [...real].sort());
});

test('every JSON example validates against the schema it names', () => {
  const ajv = createAjv('all faults', { checksSchemas: true });
  ajv.addVocabulary(['components']);
  const examples = [...api.matchAll(/```json(?: (\w+))?\n([^`]*)```/g)];
  assert.ok(examples.length >= 20, `only ${examples.length} examples`);
  for (const [, name = '', text = ''] of examples) {
    assert.ok(Object.hasOwn(COMPONENT_SCHEMAS, name), `no schema '${name}' for ${text}`);
    const schema = { $ref: `#/components/schemas/${name}`, components: { schemas: COMPONENT_SCHEMAS } };
    assert.ok(ajv.validate(schema, JSON.parse(text)), `${name}: ${ajv.errorsText()}`);
  }
});

test('the headers of answers are documented, and no others of ours', () => {
  for (const name of Object.keys(HEADERS)) assert.ok(api.includes(`\`${name}\``), name);
  for (const [, name = ''] of api.matchAll(/`(Historian-\w+)`/g)) assert.ok(HEADERS[name], name);
});

test('the data types are documented, and no others', () => {
  const documented = new Set([...api.matchAll(/System\.(?!Integer)([A-Z]\w+)/g)].map(([name]) => name));
  assert.deepEqual([...documented].sort(), [...VALUE_TYPE_NAMES].sort());
});

test('the table of settings is that of the code', () => {
  const rows = tableRows(operations, 'Flag', 'Variable');
  const expected = SETTING_NAMES.map((name) => {
    const { defaultText, summary } = SETTINGS[name];
    return [flagForm(name), environmentName(name), defaultText ?? '', summary];
  });
  assert.deepEqual(rows, expected);
});

test('the help text has every flag', () => {
  for (const name of SETTING_NAMES) assert.ok(usageText().includes(`  ${flagForm(name)}\n`), name);
});

test('the second names of system tags are documented, and no others', () => {
  assert.deepEqual(tableRows(operations, 'Other name', 'Tag'), [...SYSTEM_ALIASES]);
});

test('the exit codes are documented, and no others', () => {
  const documented = tableRows(operations, 'Exit code').map(([code]) => Number(code));
  assert.deepEqual(documented, Object.values(ExitCode));
});
