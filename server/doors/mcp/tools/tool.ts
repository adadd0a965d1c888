// What a tool is: its name and words for the model, its arguments as a JSON Schema, and what it does.

import type { JsonObject, JsonSchema } from '../../../api/validation/json-schema.ts';
import type { Role } from '../../../auth/rules/role.ts';
import type { RouteContext } from '../../../http/routing/router.ts';
import type { Service } from '../../../routes/service/service.ts';
import { type InnerRoutes, ToolError } from '../inner-call.ts';

export interface ToolCall {
  readonly service: Service;
  readonly routes: InnerRoutes;
  /** The request that carries the call. */
  readonly outer: RouteContext;
  /** Takes what is a fault of the server. */
  readonly failures: unknown[];
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Schema of an object; checked before `run` is called. */
  readonly arguments: JsonSchema;
  /** Callers without this role for any dataset do not see the tool. */
  readonly role: Extract<Role, 'read' | 'write'>;
  /** What is answered, as JSON. Rejects with a `ToolError` for what the caller can mend. */
  run(call: ToolCall, given: JsonObject): Promise<unknown>;
}

/** Most names of one call. */
export const MOST_TAGS = 50;

const text = { type: 'string', minLength: 1, maxLength: 1024 };

export const datasetArgument: JsonSchema = { ...text, description: 'Name of the dataset, as list_datasets gives it.' };
export const tagArgument: JsonSchema = { ...text, description: 'Name of the tag, as list_tags gives it.' };
export const tagsArgument: JsonSchema = {
  type: 'array',
  items: text,
  minItems: 1,
  maxItems: MOST_TAGS,
  description: `Names of tags, at most ${MOST_TAGS}.`,
};
export const rangeArguments = {
  start: {
    ...text,
    description:
      'Start of the range: ISO 8601 such as 2026-01-31T08:00:00Z, or relative to now such as -8h, -7d or d-1d.',
  },
  end: { ...text, description: 'End of the range, in the same forms. Now when absent.' },
  tz: {
    ...text,
    description: 'Time zone of relative times and calendar intervals, such as Europe/Berlin. UTC when absent.',
  },
} as const;

export function objectOf(properties: Readonly<Record<string, unknown>>, required: readonly string[]): JsonSchema {
  return { type: 'object', additionalProperties: false, properties, required };
}

/** The parameters of a range as the routes take them. */
export function rangeQuery(given: JsonObject): [string, string][] {
  const query: [string, string][] = [];
  for (const bound of ['start', 'end'] as const) {
    const time = given[bound] as string | undefined;
    if (time !== undefined) query.push([nameOfTime(bound, time), time]);
  }
  if (given.tz !== undefined) query.push(['tz', given.tz as string]);
  return query;
}

/** An ISO time begins with its year. */
function nameOfTime(bound: 'start' | 'end', time: string): string {
  const isIso = /^\d{4}-/.test(time);
  if (isIso) return bound;
  return bound === 'start' ? 'relativeStart' : 'relativeEnd';
}

export function tagQuery(given: JsonObject): [string, string][] {
  return ((given.tags as string[] | undefined) ?? []).map((name) => ['tagname', name]);
}

export function datasetOfCall(given: JsonObject): string {
  return given.dataset as string;
}

/** Refuses more of something than one answer may hold. */
export function requireAtMost(count: number, most: number, what: string): void {
  if (count > most) throw new ToolError(`That would be up to ${count} ${what}; ${most} are allowed in one answer.`);
}
