// The place of something in a JSON payload: `data.values.0`, or a JSON pointer such as `/data/values/0`.

import { hasParts } from './exact-json.ts';
import { MappingFault } from './faults.ts';

export type PayloadPath = readonly string[];

const MOST_STEPS = 32;

/** An empty text is the payload itself. */
export function parsePath(text: string): PayloadPath {
  const steps = stepsOf(text);
  if (steps.length > MOST_STEPS) throw new MappingFault(`want at most ${MOST_STEPS} steps`);
  return steps;
}

function stepsOf(text: string): string[] {
  if (text === '') return [];
  if (!text.startsWith('/')) return text.split('.');
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What lies there; undefined where there is nothing. */
export function valueAt(payload: unknown, path: PayloadPath): unknown {
  let value = payload;
  for (const step of path) {
    if (!hasParts(value) || !Object.hasOwn(value, step)) return undefined;
    if (Array.isArray(value) && step === 'length') return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
