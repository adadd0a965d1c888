// The shape of a configuration as a JSON schema, and ajv's errors as faults. Only the shape: what the texts mean is checked
// by the readers beside this file.

import { Ajv, type ErrorObject } from 'ajv';
import { childPointer, type FaultList, nearestName, showFound } from './faults.ts';

export interface MapFieldSource {
  readonly name: string;
  readonly data: string;
  readonly wrap?: boolean;
}

export interface StepSource {
  readonly value: string;
  readonly duration: string;
}

export interface TagSource {
  readonly name: string;
  readonly description?: string;
  readonly format?: string;
  readonly uom?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly values: readonly string[];
}

/** A sequence definition as it stands in the file. */
export interface SequenceSource {
  readonly map: readonly MapFieldSource[];
  readonly steps: readonly StepSource[];
  readonly tags: readonly TagSource[];
}

const TEXT = { type: 'string' };

function closedObject(properties: Record<string, unknown>, required: readonly string[]): Record<string, unknown> {
  return { type: 'object', properties, required, additionalProperties: false };
}

function list(items: Record<string, unknown>): Record<string, unknown> {
  return { type: 'array', items, minItems: 1 };
}

const MAP_FIELD = closedObject({ name: TEXT, data: TEXT, wrap: { type: 'boolean' } }, ['name', 'data']);
const STEP = closedObject({ value: TEXT, duration: TEXT }, ['value', 'duration']);
const TEXT_TABLE = { type: 'object', additionalProperties: TEXT };
const TAG = closedObject(
  {
    name: TEXT,
    description: TEXT,
    format: TEXT,
    uom: TEXT_TABLE,
    fields: TEXT_TABLE,
    type: TEXT,
    values: list(TEXT),
  },
  ['name', 'values'],
);
const SEQUENCE = closedObject({ map: list(MAP_FIELD), steps: list(STEP), tags: list(TAG) }, ['map', 'steps', 'tags']);
const SETTINGS = closedObject(
  {
    Backfill: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
    State: TEXT,
    Sequences: { type: 'object', additionalProperties: SEQUENCE, minProperties: 1 },
  },
  ['Sequences'],
);

const validateShape = new Ajv({ allErrors: true, verbose: true }).compile(
  closedObject({ Settings: SETTINGS }, ['Settings']),
);

/** Adds a fault for everything that has not the shape of a configuration. */
export function checkShape(value: unknown, faults: FaultList): void {
  if (validateShape(value)) return;
  for (const error of validateShape.errors ?? []) addShapeFault(error, faults);
}

function addShapeFault(error: ErrorObject, faults: FaultList): void {
  const parent: unknown = error.parentSchema;
  const known = isRecord(parent) && isRecord(parent.properties) ? Object.keys(parent.properties) : [];
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params.additionalProperty);
    const pointer = childPointer(error.instancePath, key);
    faults.add(pointer, `the unknown field ${JSON.stringify(key)}`, known.join(', '), nearestName(key, known));
  } else if (error.keyword === 'required') {
    const key = String(error.params.missingProperty);
    faults.add(error.instancePath, `no field ${JSON.stringify(key)}`, `the field ${JSON.stringify(key)} is required`);
  } else {
    faults.add(error.instancePath, showFound(error.data), shapeRule(error));
  }
}

function shapeRule(error: ErrorObject): string {
  if (error.keyword === 'type') return `a JSON ${String(error.params.type)}`;
  if (error.keyword === 'minItems') return 'at least one entry';
  if (error.keyword === 'minProperties') return 'at least one sequence';
  return error.message ?? error.keyword;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
