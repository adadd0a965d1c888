// Rows of the sets that list what there is.

import { formatValueType, type TagDefinition } from '../../../../engine/index.ts';
import type { Row } from '../query/cells.ts';
import { type AskedRows, datasetsOf, type GiveRows, tagsOf } from './asked-rows.ts';
import type { RowSink } from './row-sink.ts';

export const giveDatasets: GiveRows = async (asked, sink) => {
  for (const dataset of await datasetsOf(asked, 'Name')) {
    if (sink.room === 0) return { dataset };
    const { name, tagCount, sizeGb } = asked.service.engine.dataset(dataset);
    putTested(asked, sink, { Name: name, TagCount: tagCount, SizeGb: sizeGb });
  }
  return undefined;
};

export const giveTags: GiveRows = async (asked, sink) => {
  for (const dataset of await datasetsOf(asked, 'Dataset')) {
    for await (const tag of tagsOf(asked, dataset, 'Name')) {
      if (sink.room === 0) return { dataset, tag: tag.name };
      putTested(asked, sink, rowOf(dataset, tag));
      const waiting = asked.breathe();
      if (waiting !== undefined) await waiting;
    }
  }
  return undefined;
};

function putTested({ parts }: AskedRows, sink: RowSink, row: Row): void {
  if (parts.testFor(row) === 'all') sink.put(row);
}

function rowOf(dataset: string, { name, type, units, description, format }: TagDefinition): Row {
  const unit = units?.size === 1 ? [...units.values()][0] : undefined;
  return {
    Dataset: dataset,
    Name: name,
    Type: formatValueType(type) ?? null,
    Unit: unit ?? null,
    Description: description ?? null,
    Format: format ?? null,
  };
}
