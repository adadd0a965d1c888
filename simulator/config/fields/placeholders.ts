// Texts with placeholders: `[Field]`, `[Field, pattern]` and `[Step Date, pattern]`. A text is parsed once into a template
// and rendered for every instance (and, with a Step Date, for every step).

import { type FaultList, nearestName } from '../document/faults.ts';
import { DEFAULT_DATE_PATTERN, formatByPattern, formatDate } from './patterns.ts';

export const STEP_DATE = 'Step Date';

interface Placeholder {
  readonly field: string;
  readonly pattern: string;
}

export interface Template {
  readonly text: string;
  /** Literal texts and placeholders, in order. */
  readonly parts: readonly (string | Placeholder)[];
  readonly usesStepDate: boolean;
}

/** Place at which a text with placeholders is read. */
export interface TemplateContext {
  readonly pointer: string;
  /** Fields that a placeholder may name. */
  readonly known: ReadonlySet<string>;
  readonly faults: FaultList;
}

/** Parses a text; `undefined` when a bracket is not closed. */
export function parseTemplate(text: string): Template | undefined {
  const parts: (string | Placeholder)[] = [];
  let at = 0;
  for (let open = text.indexOf('['); open >= 0; open = text.indexOf('[', at)) {
    const close = text.indexOf(']', open);
    if (close < 0) return undefined;
    if (open > at) parts.push(text.slice(at, open));
    parts.push(toPlaceholder(text.slice(open + 1, close)));
    at = close + 1;
  }
  if (at < text.length) parts.push(text.slice(at));
  return { text, parts, usesStepDate: parts.some((part) => typeof part !== 'string' && part.field === STEP_DATE) };
}

function toPlaceholder(inside: string): Placeholder {
  const comma = inside.indexOf(',');
  if (comma < 0) return { field: inside.trim(), pattern: '' };
  return { field: inside.slice(0, comma).trim(), pattern: inside.slice(comma + 1).trim() };
}

/** The template of a text whose placeholders are all known; faults are added otherwise. */
export function checkTemplate(
  text: string,
  { pointer, known, faults }: TemplateContext,
  stepDate: 'step date allowed' | 'no step date',
): Template | undefined {
  const template = parseTemplate(text);
  if (template === undefined) {
    faults.add(pointer, JSON.stringify(text), 'a ] for every [');
    return undefined;
  }
  let sound = true;
  for (const part of template.parts) {
    if (typeof part === 'string' || known.has(part.field)) continue;
    if (part.field === STEP_DATE && stepDate === 'step date allowed') continue;
    sound = false;
    const allowed = part.field === STEP_DATE ? 'Step Date only in text values' : `a field: ${listNames(known)}`;
    faults.add(pointer, `[${part.field}]`, allowed, nearestName(part.field, known));
  }
  return sound ? template : undefined;
}

/** Fills a template in. `stepStartMs` is needed only when it uses Step Date. */
export function renderTemplate(template: Template, fields: ReadonlyMap<string, string>, stepStartMs = 0): string {
  let result = '';
  for (const part of template.parts) {
    if (typeof part === 'string') result += part;
    else if (part.field === STEP_DATE) result += formatDate(stepStartMs, part.pattern || DEFAULT_DATE_PATTERN);
    else result += formatByPattern(fields.get(part.field) ?? '', part.pattern);
  }
  return result;
}

function listNames(names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, 20).join(', ');
  return names.size > 20 ? `${shown}, ...` : shown || '(there are none)';
}
