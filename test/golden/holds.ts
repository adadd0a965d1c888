// What a golden folder holds, as holds.json beside it says: the datasets with their rules, tags and points.

import {
  type Annotation,
  type Engine,
  type FormerName,
  type Instant,
  MIN_TIME_MS,
  type TagDefinition,
} from '../../engine/index.ts';
import type { View } from '../../server/views/view.ts';
import { type Point, readPoints } from '../model/points.ts';
import {
  formatHeldPoints,
  formatInstant,
  formatType,
  type HeldPoint,
  type HeldStretch,
  holdPoint,
  spreadHeldPoints,
} from './notation.ts';

export interface HeldTag {
  readonly type: string;
  readonly description?: string;
  readonly format?: string;
  /** A list, because their order is kept. */
  readonly units?: readonly (readonly [key: number, text: string])[];
  readonly fields?: readonly (readonly [key: string, text: string])[];
  /** How often it was renamed, and the names that it had. */
  readonly former?: readonly [count: number, ...names: HeldFormerName[]];
  readonly points: readonly HeldPoint[];
  /** How many points are known to have been there and cannot be read; absent for none. */
  readonly lost?: number;
}

/** `until` is null where the name leads to the tag for good. */
export type HeldFormerName = readonly [name: string, renamed: string, until: string | null, forwards: boolean];

export type HeldTags = Readonly<Record<string, HeldTag>>;

export interface HeldDataset {
  readonly rules: Readonly<Record<string, number | string>>;
  readonly tags: HeldTags;
  /** By id; absent for none. */
  readonly annotations?: readonly HeldAnnotation[];
  /** System tags with points, up to the time at which the folder was left. */
  readonly system: HeldTags;
}

/** Parts that are not there are left out. */
export type HeldAnnotation = Readonly<Record<string, string | number>>;

export interface Holds {
  /** What of the format the folder is there for. */
  readonly shows: string;
  /** `stopped`: closed in good order; `killed`: as the disk was while the server ran. */
  readonly left: 'stopped' | 'killed';
  /** The wall clock when it was left. */
  readonly now: string;
  /** Level and path of what the offline check says, other than for information. */
  readonly findings: readonly string[];
  /** Datasets that were deleted a short while before. */
  readonly deleted?: readonly string[];
  /** Saved views of the Explorer. */
  readonly views?: readonly View[];
  readonly datasets: Readonly<Record<string, HeldDataset>>;
}

/** What holds.json says of a tag with these points. */
export function holdTag(definition: TagDefinition, points: readonly Point[]): HeldTag {
  const { type, description, format, units, fields, former } = definition;
  return {
    type: formatType(type),
    ...(description === undefined ? {} : { description }),
    ...(format === undefined ? {} : { format }),
    ...(units === undefined ? {} : { units: [...units] }),
    ...(fields === undefined ? {} : { fields: [...fields] }),
    ...(former === undefined ? {} : { former: [former.count, ...former.names.map(holdFormerName)] }),
    points: points.map((point) => holdPoint(point, type)),
  };
}

function holdFormerName({ name, renamedMs, untilMs, forwards }: FormerName): HeldFormerName {
  const at = (ms: number): string => formatInstant({ ms, ticks: 0 });
  return [name, at(renamedMs), untilMs === undefined ? null : at(untilMs), forwards];
}

export function holdAnnotation(annotation: Annotation): HeldAnnotation {
  const { start, end, createdMs, changedMs, ...rest } = annotation;
  const times = {
    start: formatInstant(start),
    end: end && formatInstant(end),
    created: formatInstant({ ms: createdMs, ticks: 0 }),
    changed: formatInstant({ ms: changedMs, ticks: 0 }),
  };
  const parts = Object.entries({ ...rest, ...times }).filter(([, part]) => part !== undefined);
  return Object.fromEntries(parts) as HeldAnnotation;
}

/** What an engine gives of a dataset, up to a time. */
export async function readHeldDataset(engine: Engine, name: string, end: Instant): Promise<HeldDataset> {
  const { purgeAgeDays, purgeSizeGb, late, lateToleranceMs, lateAgeDays } = engine.dataset(name);
  const list = await engine.tags(name);
  const [user, system] = [[...list.user], list.system];
  // What they are called and mean is the program's to say, not the folder's.
  const bare = system.map((tag) => ({ name: tag.name, type: tag.type }));
  const annotations = [...engine.annotations(name)].sort((a, b) => a.id - b.id).map(holdAnnotation);
  const systemTags = await readTags(engine, name, '$System.', bare, end);
  return {
    rules: {
      purgeAgeDays,
      purgeSizeGb,
      ...(late === undefined ? {} : { late }),
      ...(lateToleranceMs === undefined ? {} : { lateToleranceMs }),
      ...(lateAgeDays === undefined ? {} : { lateAgeDays }),
    },
    tags: await readTags(engine, name, '', user, end),
    ...(annotations.length === 0 ? {} : { annotations }),
    system: Object.fromEntries(Object.entries(systemTags).filter(([, { points }]) => points.length > 0)),
  };
}

async function readTags(
  engine: Engine,
  dataset: string,
  prefix: string,
  definitions: readonly TagDefinition[],
  end: Instant,
): Promise<HeldTags> {
  const held: [string, HeldTag][] = [];
  for (const definition of definitions) {
    const request = { carryIn: false, skipMissing: false, limit: undefined, after: [] };
    const range = { kind: 'range', start: FIRST_TIME, end } as const;
    const [answer] = await readPoints(engine, dataset, { tags: [prefix + definition.name], range, ...request });
    const lost = (answer?.gaps ?? []).reduce((sum, { points }) => sum + points, 0);
    const tag = holdTag(definition, answer?.points ?? []);
    held.push([definition.name, lost > 0 ? { ...tag, lost } : tag]);
  }
  return Object.fromEntries(held);
}

const FIRST_TIME: Instant = { ms: MIN_TIME_MS, ticks: 0 };

/** Tags in the form of holds.json: points at even steps are stretches. */
type WrittenTags = Readonly<Record<string, Omit<HeldTag, 'points'> & { points: readonly (HeldPoint | HeldStretch)[] }>>;
type WrittenHolds = Omit<Holds, 'datasets'> & {
  readonly datasets: Readonly<
    Record<string, Omit<HeldDataset, 'tags' | 'system'> & Record<'tags' | 'system', WrittenTags>>
  >;
};

export function parseHolds(text: string): Holds {
  const { datasets, ...rest } = JSON.parse(text) as WrittenHolds;
  const spread = (tags: WrittenTags): HeldTags =>
    mapEntries(tags, (tag) => ({ ...tag, points: spreadHeldPoints(tag.points) }));
  return {
    ...rest,
    datasets: mapEntries(datasets, (dataset) => ({
      ...dataset,
      tags: spread(dataset.tags),
      system: spread(dataset.system),
    })),
  };
}

function mapEntries<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** The text of holds.json. */
export function formatHolds({ datasets, ...rest }: Holds): string {
  const head = Object.entries(rest).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`);
  const parts = Object.entries(datasets).map(
    ([name, dataset]) => `    ${JSON.stringify(name)}: ${formatDataset(dataset)}`,
  );
  return `{\n${head.join('\n')}\n  "datasets": {\n${parts.join(',\n')}\n  }\n}\n`;
}

function formatDataset({ rules, tags, system, annotations }: HeldDataset): string {
  const about = annotations === undefined ? '' : `      "annotations": ${JSON.stringify(annotations)},\n`;
  return `{\n      "rules": ${JSON.stringify(rules)},\n${about}      "tags": ${formatTags(tags)},\n      "system": ${formatTags(system)}\n    }`;
}

function formatTags(tags: HeldTags): string {
  const lines = Object.entries(tags).map(([name, tag]) => `        ${JSON.stringify(name)}: ${formatTag(tag)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n      }`;
}

function formatTag({ points, ...definition }: HeldTag): string {
  const head = JSON.stringify(definition).slice(0, -1);
  const lines = formatHeldPoints(points).map((line) => `          ${line}`);
  return `${head},"points":[${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n        `}]}`;
}
