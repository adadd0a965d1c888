// Points as a file of Parquet.

import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { payloadOf } from '../../engine/index.ts';
import type { Batch, BatchRun, CopiedDataset } from '../sink.ts';
import { turn } from '../turns.ts';
import { RowGroup, SCHEMA } from './row-group.ts';

/** Rows of a group: some 3 ms of work, after which others have a turn. Groups of 100,000 would be 7 % smaller. */
const GROUP_ROWS = 4096;
/** Characters of texts in a group, for the same reason; one text may be longer. */
const GROUP_CHARACTERS = 256 * 1024;
const FIRST_BYTES = 64 * 1024;

/** Rows in the order of the runs. The bytes are the same whenever the points, their runs and the names of their tags are. */
export async function encodePoints(
  { name, identity }: CopiedDataset,
  batch: Batch,
  runs: readonly BatchRun[],
): Promise<Uint8Array> {
  const writer = new ByteWriter(FIRST_BYTES);
  const kvMetadata = [
    { key: 'varve.dataset', value: name },
    { key: 'varve.identity', value: identity },
  ];
  const file = new ParquetWriter({ writer, schema: SCHEMA, codec: 'SNAPPY', createdBy: 'varve', kvMetadata });
  for (const { parts, count } of divideIntoGroups(batch, runs)) {
    const group = new RowGroup(count);
    for (const part of parts) group.add(batch, part);
    void file.write({ columnData: group.columns(), rowGroupSize: count });
    const pause = turn();
    if (pause) await pause;
  }
  void file.finish();
  return writer.getBytes();
}

/** Runs, or parts of them. */
interface GroupRuns {
  readonly parts: readonly BatchRun[];
  readonly count: number;
}

function* divideIntoGroups(batch: Batch, runs: readonly BatchRun[]): Generator<GroupRuns> {
  let parts: BatchRun[] = [];
  let count = 0;
  let characters = 0;
  for (const run of runs) {
    for (let taken = 0; taken < run.count; ) {
      const rest = {
        ...run,
        start: run.start + taken,
        count: run.count - taken,
        firstOrdinal: run.firstOrdinal + taken,
      };
      const part = firstPart(batch, rest, GROUP_ROWS - count, GROUP_CHARACTERS - characters);
      parts.push(part.run);
      taken += part.run.count;
      count += part.run.count;
      characters += part.characters;
      if (count < GROUP_ROWS && characters < GROUP_CHARACTERS) continue;
      yield { parts, count };
      parts = [];
      count = 0;
      characters = 0;
    }
  }
  if (count > 0) yield { parts, count };
}

/** The first points of a run up to a number of rows, and until there are so many characters: one point at least. */
function firstPart(
  { points }: Batch,
  run: BatchRun,
  rows: number,
  characters: number,
): { run: BatchRun; characters: number } {
  const most = Math.min(rows, run.count);
  if (payloadOf(run.type) !== 'text') return { run: { ...run, count: most }, characters: 0 };
  const { nulls, numbers, texts } = points;
  let count = 0;
  let found = 0;
  while (count < most && found < characters) {
    const i = run.start + count++;
    if (nulls[i] === 0) found += texts.at(numbers[i] as number).length;
  }
  return { run: { ...run, count }, characters: found };
}
