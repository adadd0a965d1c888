// A whole configuration: text to Plant, or to the list of everything that is wrong with it.

import { childPointer, type Fault, FaultList } from './document/faults.ts';
import { parseJsonWithComments } from './document/json-with-comments.ts';
import { checkShape, isRecord } from './document/schema.ts';
import type { Plant, SequenceDefinition } from './model.ts';
import { readSequence } from './sequence.ts';

export const DEFAULT_BACKFILL_DAYS = 7;

export type PlantResult =
  | { readonly ok: true; readonly plant: Plant }
  | { readonly ok: false; readonly faults: readonly Fault[] };

export function parsePlant(text: string): PlantResult {
  const json = parseJsonWithComments(text);
  if (!json.ok) return { ok: false, faults: [json.fault] };
  const list = new FaultList();
  checkShape(json.value, list);
  const settings = isRecord(json.value) && isRecord(json.value.Settings) ? json.value.Settings : {};
  const sequences = readSequences(settings.Sequences, list);
  checkTagNames(sequences, list);
  if (list.count > 0) return { ok: false, faults: list.faults };
  const backfill = settings.Backfill;
  const state = settings.State;
  return {
    ok: true,
    plant: {
      backfillDays: typeof backfill === 'number' ? backfill : DEFAULT_BACKFILL_DAYS,
      stateFolder: typeof state === 'string' ? state : undefined,
      sequences,
    },
  };
}

function readSequences(source: unknown, faults: FaultList): SequenceDefinition[] {
  const sequences: SequenceDefinition[] = [];
  for (const [name, definition] of Object.entries(isRecord(source) ? source : {})) {
    const pointer = childPointer('/Settings/Sequences', name);
    const sequence = readSequence(name, definition, pointer, faults);
    if (sequence !== undefined) sequences.push(sequence);
  }
  return sequences;
}

/** A tag belongs to one instance: a name made twice, usually for want of a placeholder, is a fault of its template. */
function checkTagNames(sequences: readonly SequenceDefinition[], faults: FaultList): void {
  const seen = new Map<string, string>();
  const reported = new Set<string>();
  for (const sequence of sequences) {
    for (const instance of sequence.instances) {
      for (const [tagIndex, tag] of instance.tags.entries()) {
        const pointer = `${childPointer('/Settings/Sequences', sequence.name)}/tags/${tagIndex}/name`;
        const first = seen.get(tag.object.n);
        if (first === undefined) {
          seen.set(tag.object.n, pointer);
        } else if (!reported.has(pointer)) {
          reported.add(pointer);
          faults.add(
            pointer,
            `${JSON.stringify(tag.object.n)} again, first from ${first}`,
            'a name of its own for every tag',
          );
        }
      }
    }
  }
}
