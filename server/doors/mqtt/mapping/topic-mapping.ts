// One entry of the configuration's topics: which messages it is for, and which points they become.

import { BAD_QUALITY, foreignQuality, lostQuality } from '../../../../client/foreign-quality.ts';
import type { ExceptionRules } from '../../../../collect/exception-filter.ts';
import { asDataValue, qualityOfStatus } from './data-value.ts';
import { hasParts, jsonValue, numberLiteral, valueText } from './exact-json.ts';
import { PayloadFault } from './faults.ts';
import { type MappedPoint, type Message, type PointTime, timedValue } from './mapped-point.ts';
import { isNoValue, type NoValueWords } from './no-value.ts';
import { type PayloadPath, valueAt } from './payload-path.ts';
import { type TimeUnit, timeText } from './payload-time.ts';
import { type PlainType, plainValue } from './plain-values.ts';
import type { Steps } from './steps.ts';
import type { TextTemplate } from './text-template.ts';
import type { TopicPattern } from './topic-pattern.ts';

/** Points that one message may have. */
export const MOST_POINTS = 10_000;

/** Places of the values in a JSON payload. Paths are of the payload, or of each item where there are items. */
export interface JsonPlaces {
  readonly items: PayloadPath | undefined;
  /** By the name of the field. */
  readonly values: ReadonlyMap<string, PayloadPath>;
  /** An object each of whose members is a value. */
  readonly each: PayloadPath | undefined;
  readonly name: PayloadPath | undefined;
  readonly time: PayloadPath | undefined;
  readonly timeUnit: TimeUnit | undefined;
  readonly quality: PayloadPath | undefined;
  /** Qualities by their texts, before those of the table of all doors. */
  readonly qualities: ReadonlyMap<string, number>;
  /** Whether numbers are status codes of OPC UA, of which 0 is good. */
  readonly hasStatusCodes: boolean;
  readonly noValue: NoValueWords;
}

export type PayloadForm =
  | { readonly format: 'plain'; readonly type: PlainType; readonly noValue: NoValueWords }
  | { readonly format: 'json'; readonly places: JsonPlaces }
  | { readonly format: 'sparkplug' };

export interface TopicMapping {
  readonly pattern: TopicPattern;
  readonly qos: 0 | 1;
  readonly dataset: TextTemplate;
  readonly tag: TextTemplate;
  readonly form: PayloadForm;
  /** Whether messages that the broker had kept for new subscribers become points. */
  readonly takesRetained: boolean;
  /** Which points are worth storing; undefined: all. */
  readonly rules?: ExceptionRules | undefined;
}

/** The points of a plain or JSON message, in steps. Throws a `PayloadFault`. */
export function* mapMessage(
  mapping: TopicMapping,
  message: Message,
  levels: readonly string[],
): Steps<readonly MappedPoint[]> {
  const { form } = mapping;
  const point = new PointMaker(mapping, message, levels);
  if (form.format === 'plain') {
    const value = plainValue(message.payload, form.type, form.noValue);
    point.add('', message.arrivalMs, { text: value ?? 'null', quality: value === undefined ? BAD_QUALITY : undefined });
  }
  if (form.format === 'json') yield* mapJson(form.places, yield* jsonValue(message.payload), point);
  return point.points;
}

interface MappedValue {
  /** JSON. */
  readonly text: string;
  readonly quality: number | undefined;
}

class PointMaker {
  readonly points: MappedPoint[] = [];
  readonly arrivalMs: number;
  readonly #mapping: TopicMapping;
  readonly #levels: readonly string[];
  readonly #rest: string;
  readonly #topic: string;

  constructor(mapping: TopicMapping, { topic, arrivalMs }: Message, levels: readonly string[]) {
    this.arrivalMs = arrivalMs;
    this.#mapping = mapping;
    this.#levels = levels;
    this.#topic = topic;
    this.#rest = mapping.pattern.hasRest ? levels.slice(mapping.pattern.levelCount).join('/') : '';
  }

  add(field: string, time: PointTime, { text: value, quality }: MappedValue): void {
    if (this.points.length >= MOST_POINTS) throw new PayloadFault(`it has more than ${MOST_POINTS} values`);
    const parts = { levels: this.#levels, named: { '#': this.#rest, topic: this.#topic, field } };
    const { dataset, tag } = this.#mapping;
    this.points.push({
      dataset: dataset.render(parts),
      tag: tag.render(parts),
      ...timedValue(time, value, quality),
    });
  }
}

function* mapJson(places: JsonPlaces, payload: unknown, point: PointMaker): Steps<void> {
  if (places.items === undefined) return yield* mapItem(places, payload, point);
  const items = valueAt(payload, places.items);
  if (!Array.isArray(items)) throw new PayloadFault(`there is no array at '${places.items.join('.')}'`);
  for (const item of items) {
    yield* mapItem(places, item, point);
    yield;
  }
}

function* mapItem(places: JsonPlaces, item: unknown, point: PointMaker): Steps<void> {
  const time = timeOf(places, item, point);
  const quality = qualityOf(places, item);
  const name = places.name === undefined ? '' : nameOf(places.name, item);
  let found = 0;
  for (const [field, path] of places.values) {
    const value = valueAt(item, path);
    if (value === undefined) continue;
    addValue(places, point, { field: field || name, time, value, quality });
    found++;
  }
  if (places.each !== undefined)
    found += yield* mapMembers(valueAt(item, places.each), (field, value) =>
      addValue(places, point, { field, time, value, quality }),
    );
  if (found === 0) throw new PayloadFault('it has none of the values');
}

/** Members that are objects or arrays are no values, unless they are values of OPC UA. */
function* mapMembers(members: unknown, add: (field: string, value: unknown) => void): Steps<number> {
  if (!hasParts(members) || Array.isArray(members)) return 0;
  let found = 0;
  for (const [field, value] of Object.entries(members)) {
    const inside = hasParts(value) ? asDataValue(value) : { value };
    if (inside === undefined || hasParts(inside.value)) continue;
    add(field, value);
    found++;
    yield;
  }
  return found;
}

interface FoundValue {
  readonly field: string;
  readonly time: PointTime;
  readonly value: unknown;
  readonly quality: number | undefined;
}

/** A value of OPC UA has a time and a quality of its own. */
function addValue(places: JsonPlaces, point: PointMaker, { field, time, value, quality }: FoundValue): void {
  const found = asDataValue(value);
  if (found === undefined) return point.add(field, time, textOf(places, value, quality));
  const status = found.status === undefined || found.status === null ? quality : qualityOfStatus(found.status);
  const ownTime = found.time === undefined ? time : timeText(found.time, undefined);
  point.add(field, ownTime, textOf(places, found.value ?? null, status));
}

function textOf({ noValue }: JsonPlaces, value: unknown, quality: number | undefined): MappedValue {
  const isLost = typeof value === 'string' && isNoValue(value, noValue);
  return isLost ? { text: 'null', quality: lostQuality(quality) } : { text: valueText(value), quality };
}

function timeOf({ time, timeUnit }: JsonPlaces, item: unknown, point: PointMaker): PointTime {
  const value = time === undefined ? undefined : valueAt(item, time);
  return value === undefined || value === null ? point.arrivalMs : timeText(value, timeUnit);
}

function qualityOf({ quality, qualities, hasStatusCodes }: JsonPlaces, item: unknown): number | undefined {
  const value = quality === undefined ? undefined : valueAt(item, quality);
  if (value === undefined || value === null) return undefined;
  if (hasParts(value)) return qualityOfStatus(value);
  const literal = numberLiteral(value);
  const own = qualities.get(literal ?? String(value));
  if (own !== undefined) return own;
  if (hasStatusCodes) return qualityOfStatus(value);
  return foreignQuality(literal === undefined ? value : Number(literal));
}

function nameOf(path: PayloadPath, item: unknown): string {
  const value = valueAt(item, path);
  const name = numberLiteral(value) ?? value;
  if (typeof name === 'string') return name;
  throw new PayloadFault(`there is no name at '${path.join('.')}'`);
}
