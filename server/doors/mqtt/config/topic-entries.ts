// The topics of a source out of the configuration: patterns, templates and paths, compiled.

import type { ExceptionRules } from '../../../../collect/exception-filter.ts';
import { MappingFault } from '../mapping/faults.ts';
import { noValueWords } from '../mapping/no-value.ts';
import { type PayloadPath, parsePath } from '../mapping/payload-path.ts';
import { TextTemplate } from '../mapping/text-template.ts';
import type { JsonPlaces, PayloadForm, TopicMapping } from '../mapping/topic-mapping.ts';
import { TopicPattern } from '../mapping/topic-pattern.ts';
import type { DeadbandEntry, PayloadEntry, TopicEntry } from './config-schema.ts';

/** Adds what is wrong at a place, as a JSON pointer. */
export type AddFault = (path: string, message: string) => void;

const DEFAULT_LONGEST_MS = 600_000;
const SPARKPLUG_TAG = '{group}/{node}/{device}/{metric}';
/** Members of a payload that go with one format only. */
const JSON_MEMBERS = [
  'value',
  'values',
  'each',
  'items',
  'name',
  'time',
  'timeUnit',
  'quality',
  'qualities',
  'qualityCodes',
] as const;

/** Undefined when something is wrong, which was added. */
export function readTopic(entry: TopicEntry, path: string, add: AddFault): TopicMapping | undefined {
  const payload = entry.payload ?? { format: 'plain' };
  const attempt = <T>(place: string, make: () => T): T | undefined => attemptAt(`${path}${place}`, make, add);
  const pattern = attempt('/topic', () => new TopicPattern(entry.topic));
  const form = attempt('/payload', () => readForm(payload, attempt));
  if (pattern === undefined || form === undefined) return undefined;
  if (payload.format !== 'sparkplug' && entry.tag === undefined) {
    add(path, "'tag' is missing.");
    return undefined;
  }
  const names = placeholderNames(payload);
  const levels = { levelCount: pattern.levelCount, levelNames: pattern.names };
  const common = payload.format === 'sparkplug' ? { levelCount: 0, levelNames: new Map<string, number>() } : levels;
  const dataset = attempt('/dataset', () => new TextTemplate(entry.dataset, { ...common, names: names.dataset }));
  const tag = attempt('/tag', () => new TextTemplate(entry.tag ?? SPARKPLUG_TAG, { ...common, names: names.tag }));
  if (dataset === undefined || tag === undefined) return undefined;
  if (hasSeveral(payload) && !tag.names.has('field')) {
    add(
      `${path}/tag`,
      `Got '${entry.tag}'; want {field} in it: the payload has several values, each for a tag of its own.`,
    );
    return undefined;
  }
  const rules = entry.deadband && readRules(entry.deadband, `${path}/deadband`, add);
  return { pattern, qos: entry.qos ?? 1, dataset, tag, form, takesRetained: entry.retained !== 'ignore', rules };
}

function readRules(entry: DeadbandEntry, path: string, add: AddFault): ExceptionRules {
  const { absolute, percent, range, shortestMs = 0, longestMs = DEFAULT_LONGEST_MS } = entry;
  if ((absolute === undefined) === (percent === undefined)) add(path, "Want either 'absolute' or 'percent'.");
  const [low, high] = range ?? [0, 0];
  if ((percent === undefined) !== (range === undefined)) add(path, "'percent' and 'range' go together.");
  else if (range !== undefined && low >= high) add(`${path}/range`, `Got [${low}, ${high}]; want the lower end first.`);
  if (shortestMs >= longestMs) add(`${path}/shortestMs`, `Got ${shortestMs}; want less than longestMs, ${longestMs}.`);
  return { deadband: absolute ?? ((percent ?? 0) / 100) * (high - low), shortestMs, longestMs };
}

function attemptAt<T>(path: string, make: () => T, add: AddFault): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof MappingFault)) throw error;
    add(path, `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`);
    return undefined;
  }
}

function placeholderNames({ format }: PayloadEntry): { dataset: string[]; tag: string[] } {
  if (format === 'sparkplug') return { dataset: ['group', 'node'], tag: ['group', 'node', 'device', 'metric'] };
  return { dataset: ['topic', '#'], tag: format === 'json' ? ['topic', '#', 'field'] : ['topic', '#'] };
}

function hasSeveral({ format, values, each, name }: PayloadEntry): boolean {
  return format === 'json' && (each !== undefined || name !== undefined || Object.keys(values ?? {}).length > 1);
}

function readForm(payload: PayloadEntry, attempt: <T>(place: string, make: () => T) => T | undefined): PayloadForm {
  const { format } = payload;
  const foreign = JSON_MEMBERS.find((member) => format !== 'json' && payload[member] !== undefined);
  if (foreign !== undefined) throw new MappingFault(`'${foreign}' goes with the format json, not with ${format}`);
  if (format !== 'plain' && payload.type !== undefined)
    throw new MappingFault(`'type' goes with the format plain, not with ${format}`);
  if (format === 'plain') return readPlain(format, payload);
  if (format !== 'sparkplug') return { format, places: readPlaces(payload, attempt) };
  if (payload.noValue !== undefined) throw new MappingFault("'noValue' goes with the formats plain and json");
  return { format };
}

/** Words of a payload that is text are texts, unless they are named. */
function readPlain(format: 'plain', { type = 'auto', noValue }: PayloadEntry): PayloadForm {
  return { format, type, noValue: noValueWords(type === 'text' ? (noValue ?? []) : noValue) };
}

function readPlaces(payload: PayloadEntry, attempt: <T>(place: string, make: () => T) => T | undefined): JsonPlaces {
  if (payload.value === undefined && payload.values === undefined && payload.each === undefined)
    throw new MappingFault("'value', 'values' or 'each' is missing: where the values are");
  const pathAt = (member: string, text: string | undefined): PayloadPath | undefined =>
    text === undefined ? undefined : attempt(`/payload/${member}`, () => parsePath(text));
  const values = new Map<string, PayloadPath>();
  for (const [field, text] of Object.entries(payload.values ?? {}))
    values.set(field, pathAt(`values/${field}`, text) ?? []);
  const single = pathAt('value', payload.value);
  if (single !== undefined) values.set('', single);
  return {
    items: pathAt('items', payload.items),
    values,
    each: pathAt('each', payload.each),
    name: pathAt('name', payload.name),
    time: pathAt('time', payload.time),
    timeUnit: payload.timeUnit,
    quality: pathAt('quality', payload.quality),
    qualities: new Map(Object.entries(payload.qualities ?? {})),
    hasStatusCodes: payload.qualityCodes === 'opc-ua',
    noValue: noValueWords(payload.noValue),
  };
}
