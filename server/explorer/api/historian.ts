// The operations of the API that the page uses.

import type { DatasetInfo, TagDefinition, TagRef } from '../model/tags/tag.ts';
import { SYSTEM_PREFIX } from '../model/tags/tag.ts';
import { type AnswerColumns, createSeries, type Series } from '../model/trend/series.ts';
import { send, sendForJson } from './http.ts';

export interface TagListing {
  readonly User: readonly TagDefinition[];
  readonly System: readonly TagDefinition[];
}

interface Entry {
  readonly t: TagDefinition;
  readonly d: AnswerColumns;
  readonly reducedFrom?: number;
}

export interface AggregateRequest {
  readonly fn: string;
  /** In the words of the server: `30000ms`, `1d`. */
  readonly interval: string;
  /** The zone by whose clocks intervals begin at full hours, midnights and so on; absent: they are counted from the start. */
  readonly tz?: string;
  /** Percent of good from which a result is good; all of it when absent. */
  readonly percentGood?: number;
}

/** The part of a body that asks for results. */
export function aggregateBody({ fn, interval, tz, percentGood }: AggregateRequest): object {
  return {
    aggregate: [fn],
    interval,
    ...(tz === undefined ? {} : { align: true, tz }),
    ...(percentGood === undefined ? {} : { percentGood }),
  };
}

export interface ReadRequest {
  readonly startMs?: number;
  readonly endMs: number;
  /** Reduces to so many intervals. */
  readonly points?: number;
  /** Results of a function over intervals instead of points. */
  readonly aggregate?: AggregateRequest | undefined;
  /** Brings the point in force at the start in. */
  readonly isCarried?: boolean;
  readonly signal?: AbortSignal;
}

export type Role = 'read' | 'write' | 'admin';

/** What the token's holder may do. */
export interface CallerRights {
  /** `open` while the server has no access control. */
  readonly access: 'open' | 'token';
  readonly role: Role;
  /** Patterns of names, with `*` for any characters. */
  readonly datasets: readonly string[];
  readonly name: string;
  /** ISO 8601. */
  readonly expires?: string;
}

export function describeCaller(): Promise<CallerRights> {
  return sendForJson('/auth/caller');
}

export function datasetPath(dataset: string): string {
  return `/api/datasets/${encodeURIComponent(dataset)}`;
}

export function listDatasets(): Promise<DatasetInfo[]> {
  return sendForJson('/api/datasets');
}

export function listTags(dataset: string): Promise<TagListing> {
  return sendForJson(`${datasetPath(dataset)}/tags`);
}

export interface TagSearch {
  /** A part of the name, whose case does not matter. */
  readonly contains: string;
  /** At most so many user tags, and so many system tags. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** The first ones by name. */
export function findTags(dataset: string, { contains, limit, signal }: TagSearch): Promise<TagListing> {
  const query = `contains=${encodeURIComponent(contains)}&limit=${limit}`;
  return sendForJson(`${datasetPath(dataset)}/tags?${query}`, { signal });
}

/** One series for each tag that exists, in the order asked for; without a start the value at the end. */
export async function readTags(dataset: string, names: readonly string[], request: ReadRequest): Promise<Series[]> {
  const { startMs, endMs, points, isCarried, aggregate, signal } = request;
  const boundary = isCarried ? 'carry' : 'inside';
  const body = {
    tagname: names,
    end: new Date(endMs).toISOString(),
    ...(startMs === undefined ? {} : { start: new Date(startMs).toISOString() }),
    ...(aggregate === undefined ? { boundary, ...(points === undefined ? {} : { points }) } : aggregateBody(aggregate)),
    missing: 'skip',
    exact: 'string',
    format: 'columns',
  };
  const call = { method: 'POST' as const, body, ...(signal === undefined ? {} : { signal }) };
  const { tl } = await sendForJson<{ tl: Entry[] }>(`${datasetPath(dataset)}/read`, call);
  return matchEntries(dataset, names, tl);
}

/** Tags that are unknown are left out of the answer, the others come in order. */
function matchEntries(dataset: string, names: readonly string[], entries: readonly Entry[]): Series[] {
  const found: Series[] = [];
  let next = 0;
  for (const name of names) {
    const entry = entries[next];
    if (entry === undefined || (entry.t.n !== name && `${SYSTEM_PREFIX}${entry.t.n}` !== name)) continue;
    next++;
    const ref: TagRef = { dataset, name };
    found.push(createSeries(ref, entry.t, entry.d, entry.reducedFrom));
  }
  return found;
}

export async function saveTag(dataset: string, tag: TagDefinition): Promise<void> {
  await send(`${datasetPath(dataset)}/tags`, { method: 'POST', body: [tag] });
}

export interface RenameRequest {
  readonly from: string;
  readonly to: string;
  /** Whether writes under the former name go to the tag. */
  readonly forwards: boolean;
  /** For how many days the former name leads to the tag; undefined: for good. */
  readonly keepDays: number | undefined;
}

export async function renameTag(dataset: string, { from, to, forwards, keepDays }: RenameRequest): Promise<void> {
  const body = { name: to, forward: forwards, ...(keepDays === undefined ? {} : { keep: keepDays }) };
  await send(`${datasetPath(dataset)}/tags/${encodeURIComponent(from)}/rename`, { method: 'POST', body });
}

export async function deleteTag(dataset: string, name: string): Promise<void> {
  await send(`${datasetPath(dataset)}/tags`, { method: 'DELETE', body: [name] });
}

export type DatasetRules = Pick<DatasetInfo, 'n' | 'pa' | 'ps' | 'late' | 'ldt' | 'lda'>;

export async function createDataset(rules: DatasetRules): Promise<void> {
  await send('/api/datasets', { method: 'POST', body: rules });
}

export async function updateDataset(rules: DatasetRules): Promise<void> {
  await send(datasetPath(rules.n), { method: 'POST', body: rules });
}

export async function deleteDataset(dataset: string): Promise<void> {
  await send(datasetPath(dataset), { method: 'DELETE' });
}
