// The process in which the pipeline runs, alone: reads what to do as JSON from its one argument, prints a line of JSON.

import { ProblemError } from '../../server/problem.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { buildLoad } from '../workloads/write-load.ts';
import type { LimitAnswer, LimitJob } from './measure-limit.ts';
import { type PipelineResult, runPipeline, UnreadableBodyError } from './pipeline.ts';

const job = JSON.parse(process.argv[2] ?? '') as LimitJob;
const load = buildLoad(job.shape, job.seed);
const results: PipelineResult[] = [];
try {
  for (let run = 0; run < job.runs; run++) results.push(await runOnce());
  answer({ results });
} catch (error) {
  const isUnreadable = error instanceof UnreadableBodyError || error instanceof ProblemError;
  if (!isUnreadable) throw error;
  answer({ unreadable: error.message });
}

function runOnce(): Promise<PipelineResult> {
  return withTempFolder('limit', (folder) => Promise.resolve(runPipeline(load, folder, job.sync, job.recordsAWrite)));
}

function answer(value: LimitAnswer): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
