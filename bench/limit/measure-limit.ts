// Measures the limit of a load in a process of its own.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { NotSupportedError } from '../client/raw-connection.ts';
import { atEnd } from '../support/clean-up.ts';
import { withinLimit } from '../support/time-limit.ts';
import type { LoadShape } from '../workloads/write-load.ts';
import type { PipelineResult, Sync } from './pipeline.ts';

const PROGRAM = fileURLToPath(new URL('limit-process.ts', import.meta.url));
const LIMIT_MS = 300_000;

export interface LimitJob {
  readonly shape: LoadShape;
  readonly seed: number;
  readonly runs: number;
  readonly sync: Sync;
  readonly recordsAWrite: number;
}

/** What the process prints. */
export type LimitAnswer = { readonly results: PipelineResult[] } | { readonly unreadable: string };

/** The result of every run. Rejects with a NotSupportedError when the parsers do not know such bodies. */
export async function measureLimit(job: LimitJob): Promise<PipelineResult[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const callOff = atEnd(() => child.kill('SIGKILL'));
  let output = '';
  let complaint = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    complaint += data.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  try {
    const code = await withinLimit(ended, LIMIT_MS, 'the limit');
    if (code !== 0) throw new Error(`the limit's process ended with code ${code}: ${complaint.slice(-500)}`);
    const answer = JSON.parse(output) as LimitAnswer;
    if ('unreadable' in answer) throw new NotSupportedError(answer.unreadable);
    return answer.results;
  } finally {
    child.kill('SIGKILL');
    callOff();
  }
}
