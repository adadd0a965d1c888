// The system tags of every dataset: their ids, names and units never change.

import { SYSTEM_PREFIX } from '../limits.ts';
import type { Tag } from '../tag/tag.ts';
import { type TagDefinition, ValueType } from '../types.ts';
import type { DatasetTags } from './dataset-tags.ts';

export const SystemTagId = {
  State: 1,
  Status: 2,
  Size: 3,
  Tags: 4,
  Reads: 5,
  Writes: 6,
  WritesLate: 7,
  Space: 8,
  Memory: 9,
  Cpu: 10,
  Second: 11,
  Minute: 12,
  Hour: 13,
  Corrections: 14,
  CopyLag: 15,
  CopyWaiting: 16,
  CopyFailures: 17,
} as const;

export const DatasetState = { Stopped: 0, Starting: 1, Recovering: 2, Running: 3, Stopping: 4 } as const;
export type DatasetState = (typeof DatasetState)[keyof typeof DatasetState];

const STATE_TEXTS = new Map<number, string>(Object.entries(DatasetState).map(([text, code]) => [code, text]));

function define(
  name: string,
  type: ValueType,
  description: string,
  units?: string | ReadonlyMap<number, string>,
): TagDefinition {
  if (units === undefined) return { name, type, description };
  return { name, type, description, units: typeof units === 'string' ? new Map([[1, units]]) : units };
}

const DEFINITIONS: ReadonlyMap<number, TagDefinition> = new Map([
  [SystemTagId.State, define('State', ValueType.Int32, 'State of the dataset', STATE_TEXTS)],
  [SystemTagId.Status, define('Status', ValueType.Open, 'Status of the collector, as posted: the quality tells')],
  [SystemTagId.Size, define('Size', ValueType.Double, 'Allocated on disk by the folder of the dataset', 'GB')],
  [SystemTagId.Tags, define('Tags', ValueType.Int32, 'Number of user tags')],
  [SystemTagId.Reads, define('Reads', ValueType.Double, 'Points read', 'points/s')],
  [SystemTagId.Writes, define('Writes', ValueType.Double, 'Points written', 'points/s')],
  [SystemTagId.WritesLate, define('Writes.Late', ValueType.Double, 'Points ignored as out of order', 'points/s')],
  [SystemTagId.Space, define('Space', ValueType.Double, 'Free on the disk', 'GB')],
  [SystemTagId.Memory, define('Process.Memory', ValueType.Double, 'Resident memory of the server', 'MB')],
  [SystemTagId.Cpu, define('Process.CPU', ValueType.Double, 'Processor time of the server; 100 is one core', '%')],
  [SystemTagId.Second, define('Second', ValueType.Int32, 'Second of local time')],
  [SystemTagId.Minute, define('Minute', ValueType.Int32, 'Minute of local time')],
  [SystemTagId.Hour, define('Hour', ValueType.Int32, 'Hour of local time')],
  [SystemTagId.Corrections, define('Corrections', ValueType.String, 'Log of the corrections, each as JSON')],
  [SystemTagId.CopyLag, define('Copy.Lag', ValueType.Double, 'Since everything was in the copy at the centre', 's')],
  [SystemTagId.CopyWaiting, define('Copy.Waiting', ValueType.Int32, 'Tags that the copy lacks something of', 'tags')],
  [SystemTagId.CopyFailures, define('Copy.Failures', ValueType.Int32, 'Failures of the copy since the start')],
]);

/** Adds the system tags to a dataset; existing ones keep their points and get the definition of this version. */
export function addSystemTags(tags: DatasetTags): void {
  for (const [id, definition] of DEFINITIONS) {
    const tag = tags.byId.get(id) ?? tags.add(definition, id);
    tag.definition = definition;
    tag.durableDefinition = definition;
    tag.visible = true;
  }
}

/** Whether every dataset has a system tag of this id, also before its first point, when no file tells of it. */
export function isSystemTagId(id: number): boolean {
  return DEFINITIONS.has(id);
}

const NOT_ALWAYS: ReadonlySet<number> = new Set([
  SystemTagId.Corrections,
  SystemTagId.CopyLag,
  SystemTagId.CopyWaiting,
  SystemTagId.CopyFailures,
]);

/** Whether a tag is listed: the log of corrections is when there are any, and the figures of the copy where there is one. */
export function isListed(tag: Tag, isCopied: boolean): boolean {
  if (tag.hasPoints || !NOT_ALWAYS.has(tag.id)) return true;
  return isCopied && tag.id !== SystemTagId.Corrections;
}

/** Whether a name can only be a system tag's. */
export function isSystemName(name: string): boolean {
  return name.startsWith(SYSTEM_PREFIX);
}
