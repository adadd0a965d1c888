// The `map` of a sequence: its fields with their values, and from them the fields of every instance.

import { childPointer, type FaultList } from '../document/faults.ts';
import { isRecord } from '../document/schema.ts';
import { fieldValue, parseMapData } from './map-data.ts';
import { STEP_DATE } from './placeholders.ts';

interface MapField {
  readonly name: string;
  readonly values: readonly string[];
  readonly wrap: boolean;
}

export interface SequenceMap {
  /** Names of all fields, also of those whose data is faulty. */
  readonly names: ReadonlySet<string>;
  /** Number of instances; the longest field's count. */
  readonly instanceCount: number;
  readonly fieldsOf: (index: number) => ReadonlyMap<string, string>;
}

export function readMap(source: unknown, pointer: string, faults: FaultList): SequenceMap {
  const names = new Set<string>();
  const fields: MapField[] = [];
  for (const [index, entry] of (Array.isArray(source) ? source : []).entries()) {
    if (!isRecord(entry)) continue;
    const at = childPointer(pointer, index);
    if (typeof entry.name === 'string') checkName(entry.name, names, childPointer(at, 'name'), faults);
    if (typeof entry.data !== 'string') continue;
    const data = parseMapData(entry.data);
    if (!data.ok) faults.add(childPointer(at, 'data'), data.found, data.allowed);
    const values = data.ok ? data.values : [''];
    fields.push({ name: String(entry.name), values, wrap: entry.wrap === true });
  }
  return {
    names,
    instanceCount: fields.reduce((longest, field) => Math.max(longest, field.values.length), 0),
    fieldsOf: (index) => new Map(fields.map((field) => [field.name, fieldValue(field.values, field.wrap, index)])),
  };
}

function checkName(name: string, names: Set<string>, pointer: string, faults: FaultList): void {
  const clean = name.trim();
  if (clean !== name || clean === '' || /[[\],]/.test(name)) {
    faults.add(pointer, JSON.stringify(name), 'a name without commas, brackets and outer spaces');
  } else if (name === STEP_DATE) {
    faults.add(pointer, JSON.stringify(name), `any name but ${STEP_DATE}, which is the step's start`);
  } else if (names.has(name)) {
    faults.add(pointer, JSON.stringify(name), 'each field name once');
  }
  names.add(name);
}
