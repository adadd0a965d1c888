// Suite `limit`: what one process reaches with the same bytes and no server around it, and where its time goes.

import { measureLimit } from '../limit/measure-limit.ts';
import type { PipelineResult, Sync } from '../limit/pipeline.ts';
import { measured, type RunFigures } from '../report/result.ts';
import type { SuiteRun } from '../suite-run.ts';
import { type LoadShape, W1 } from '../workloads/write-load.ts';

export async function runLimit(suite: SuiteRun): Promise<void> {
  const pointsATag = suite.size(10_000, 300);
  const columns: LoadShape = { ...W1, format: 'json-columns', pointsATag };
  await measurePipeline(suite, 'W1, JSON', { ...W1, pointsATag }, 'synced');
  await measurePipeline(suite, 'W1, JSON', { ...W1, pointsATag }, 'unsynced');
  await measurePipeline(suite, 'W1, JSON columns', columns, 'synced');
  await measurePipeline(suite, 'W1, JSON columns, 100 points a tag', { ...columns, pointsARequest: 100 }, 'synced');
  await measurePipeline(suite, 'W1, msgpack columns', { ...columns, format: 'msgpack-columns' }, 'synced');
}

async function measurePipeline(suite: SuiteRun, title: string, shape: LoadShape, sync: Sync): Promise<void> {
  const name = `${title}, ${sync}`;
  if (!suite.wants(name)) return;
  const { runs, seed } = suite.options;
  let results: PipelineResult[] = [];
  await suite.measure({ table: 'in one process', name, runs }, async () => {
    // All runs are made by one process, at the first call.
    if (results.length === 0) results = await measureLimit({ shape, seed, runs, sync, recordsAWrite: 1 });
    return figuresOf(results.shift() as PipelineResult);
  });
}

function figuresOf(result: PipelineResult): RunFigures {
  const { points, elapsedMs } = result;
  const ns = (ms: number): number => (ms * 1e6) / points;
  return [
    measured('rate', 'M points/s', 'more', points / elapsedMs / 1000),
    measured('parse', 'ns/pt', 'less', ns(result.parseMs)),
    measured('record', 'ns/pt', 'less', ns(result.recordMs)),
    measured('journal write', 'ns/pt', 'less', ns(result.journalWriteMs)),
    measured('heads', 'ns/pt', 'less', ns(result.headMs)),
    measured('blocks', 'ns/pt', 'less', ns(result.blockMs)),
    measured('block write', 'ns/pt', 'less', ns(result.blockWriteMs)),
    measured('journal', 'B/pt', 'less', result.journalBytes / points),
    measured('blocks written', 'B/pt', 'less', result.blockBytes / points),
  ];
}
