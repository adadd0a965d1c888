// What rows are asked for, and the tags that a filter leaves.

import type { TagDefinition } from '../../../../engine/index.ts';
import type { RouteContext } from '../../../http/routing/router.ts';
import type { QueryParameters } from '../../../routes/request/read-parameters.ts';
import type { Service } from '../../../routes/service/service.ts';
import { findTag, readableDatasets } from '../../readable/readable-tags.ts';
import type { FilterParts } from '../query/filter-parts.ts';
import type { Position } from '../query/position.ts';
import type { RowSink } from './row-sink.ts';

export interface AskedRows {
  readonly service: Service;
  readonly call: RouteContext;
  readonly parts: FilterParts;
  readonly query: QueryParameters;
  /** The end of the page before. */
  readonly from: Position | undefined;
  /** A promise when others are to have their turn first. */
  breathe(): Promise<void> | undefined;
}

/** Gives rows until the sink has no room; where to go on then, undefined when there are no more. */
export type GiveRows = (asked: AskedRows, sink: RowSink) => Promise<Position | undefined>;

/** Datasets that the caller may read and the filter leaves, by name, from the position on. */
export async function datasetsOf({ service, call, parts, from }: AskedRows, property: string): Promise<string[]> {
  const names = parts.namesOf(property);
  const first = from?.dataset ?? '';
  const test = {
    names: names && [...names],
    matches: (name: string) => name >= first && parts.testFor({ [property]: name }) !== 'none',
  };
  return readableDatasets(service, call.caller, test);
}

/** User tags that the filter leaves, by name, from the position on. */
export async function* tagsOf(asked: AskedRows, dataset: string, property: string): AsyncGenerator<TagDefinition> {
  const { service, call, parts, from } = asked;
  const { request } = call;
  const first = from?.dataset === dataset ? (from.tag ?? '') : '';
  const names = parts.namesOf(property);
  if (names !== undefined) {
    for (const name of [...names].sort()) {
      const tag = name >= first ? findTag(service.engine, dataset, name) : undefined;
      if (tag !== undefined) yield tag;
    }
    return;
  }
  const { user } = await service.engine.tags(dataset, () => request.aborted);
  const prefix = parts.prefixOf(property);
  for (const tag of user.from(first.startsWith(prefix) ? first : prefix)) {
    if (request.aborted || !tag.name.startsWith(prefix)) return;
    if (parts.testFor({ Dataset: dataset, [property]: tag.name }) !== 'none') yield tag;
    const waiting = asked.breathe();
    if (waiting !== undefined) await waiting;
  }
}
