// Every example of docs/simulator.md is run, and gives what the page says. With UPDATE_DOCS=1 the page is written anew with
// what the examples give.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { faultsOf, generatePoints, plantOf, START_MS } from '../support/simulated-points.ts';

const page = fileURLToPath(new URL('../../docs/simulator.md', import.meta.url));
const text = readFileSync(page, 'utf8');

const MAP = [
  { name: 'No', data: '2' },
  { name: 'Area', data: 'North' },
];
const STEPS = [
  { value: '1', duration: '1' },
  { value: '2', duration: '2' },
];

interface Example {
  readonly kind: string;
  readonly source: string;
  /** What the page says it gives, when it says so. */
  readonly expected: string | undefined;
  readonly expectedKind: string | undefined;
  readonly line: number;
}

function findExamples(): Example[] {
  const fences = [...text.matchAll(/^```(json|text) ?(\w*)\n([\s\S]*?)^```$/gm)];
  return fences.flatMap((fence, index) => {
    if (fence[1] !== 'json') return [];
    const next = fences[index + 1];
    const result = next?.[1] === 'text' ? next : undefined;
    const line = text.slice(0, fence.index).split('\n').length;
    return [{ kind: fence[2] ?? '', source: fence[3] ?? '', expected: result?.[3], expectedKind: result?.[2], line }];
  });
}

function sequencePlant(sequence: unknown): unknown {
  return { Settings: { Sequences: { Example: sequence } } };
}

function configurationOf({ kind, source }: Example): unknown {
  if (kind === 'plant') return source;
  const part: unknown = JSON.parse(source);
  if (kind === 'sequence') return sequencePlant(part);
  if (kind === 'map') {
    const names = (part as { name: string }[]).map((field) => `${field.name}=[${field.name}]`).join(' ');
    const number = { name: '#', data: '1-100' };
    return sequencePlant({
      map: [...(part as object[]), number],
      steps: STEPS,
      tags: [{ name: `${names} [#]`, values: ['1'] }],
    });
  }
  return sequencePlant({ map: MAP, steps: STEPS, tags: part });
}

/** What the example gives, in the form in which the page shows it. */
function resultOf(example: Example): string {
  const configuration = configurationOf(example);
  if (example.expectedKind === 'faults') return lines(faultsOf(configuration));
  const plant = plantOf(configuration);
  const tags = plant.sequences.flatMap((s) => s.instances).flatMap((instance) => instance.tags);
  if (example.kind === 'map') {
    const longest = (example.expected ?? '').trimEnd().split('\n').length;
    return lines(tags.slice(0, longest).map((tag) => tag.object.n.replace(/ \d+$/, '')));
  }
  if (example.expectedKind === 'tagobjects') return lines(tags.map((tag) => JSON.stringify(tag.object)));
  if (example.expectedKind !== 'points') return '';
  const rows: string[] = [];
  for (const [name, points] of generatePoints(configuration)) {
    for (const { timeMs, value } of points) {
      const offset = new Date(timeMs - START_MS).toISOString().slice(14, 23);
      rows.push(`${name}  ${offset}  ${JSON.stringify(value)}`);
    }
  }
  return lines(rows);
}

function lines(rows: readonly string[]): string {
  return rows.map((row) => `${row}\n`).join('');
}

const examples = findExamples();

if (process.env.UPDATE_DOCS === '1') {
  let updated = text;
  for (const example of examples) {
    if (example.expectedKind === undefined) continue;
    const head = `\`\`\`json ${example.kind}\n${example.source}\`\`\`\n\n\`\`\`text ${example.expectedKind}\n`;
    const [before = '', after = ''] = updated.split(head);
    assert.notEqual(after, '', `line ${example.line}`);
    updated = before + head + resultOf(example) + after.slice((example.expected ?? '').length);
  }
  writeFileSync(page, updated);
}

test('the page has examples of every part of a configuration', () => {
  const sources = examples.map((example) => example.source).join('\n');
  const entries = ['step', 'null', 'previous', 'random(', 'flat(', 'ramp(', 'integrate('];
  const fields = ['map', 'steps', 'tags', 'name', 'data', 'wrap', 'value', 'duration', 'description', 'format', 'uom'];
  const rest = ['fields', 'type', 'values', 'Backfill', 'State', 'Sequences'];
  for (const part of [...entries, ...fields, ...rest]) assert.ok(sources.includes(`"${part}`), part);
});

for (const example of examples) {
  test(`the ${example.kind} in line ${example.line} gives what the page says`, () => {
    if (example.expectedKind === undefined) assert.ok(plantOf(configurationOf(example)).sequences.length > 0);
    else assert.equal(example.expected, resultOf(example));
  });
}

test('the demo plant is valid and uses every form, entry and type', () => {
  const demo = readFileSync(fileURLToPath(new URL('../../demo/plant.json', import.meta.url)), 'utf8');
  const plant = plantOf(demo);
  const instances = plant.sequences.flatMap((sequence) => sequence.instances);
  const tags = instances.flatMap((instance) => instance.tags);
  assert.ok(instances.length >= 10 && instances.length <= 20);
  assert.ok(tags.length >= 180 && tags.length <= 220, `${tags.length} tags`);
  const kinds = new Set(tags.flatMap((tag) => tag.entries.map((entry) => entry.kind)));
  assert.deepEqual([...kinds].sort(), [
    'flat',
    'integrate',
    'literal',
    'null',
    'previous',
    'ramp',
    'random',
    'step',
    'text',
  ]);
  const types = new Set(tags.map((tag) => (tag.object.t ?? '').replace('System.', '')));
  const all = 'Boolean Byte DateTime Decimal Double Int16 Int32 Int64 SByte Single String UInt16 UInt32 UInt64';
  assert.deepEqual([...types].sort(), all.split(' '));
});
