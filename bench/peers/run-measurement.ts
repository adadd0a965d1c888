// Runs one measurement in a process of its own, over a folder of its own, bounded in time.

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { atEnd, withTempFolder } from '../support/clean-up.ts';
import { endTree } from '../support/process-tree.ts';
import type { AnswerFaults } from './answer-check.ts';
import type { PeerJob, PeerMeasurement } from './measure-peer.ts';

const PROGRAM = fileURLToPath(new URL('measure-process.ts', import.meta.url));
/** It ends its own servers first. */
const ABORT_LIMIT_MS = 15_000;

/** Rejects when the process fails, or when an answer was wrong. */
export function runMeasurement(job: Omit<PeerJob, 'folder'>): Promise<PeerMeasurement> {
  return withTempFolder('peers', async (folder) => {
    const measurement = await resultOf(startProcess({ ...job, folder }));
    refuseWrong(measurement);
    return measurement;
  });
}

/** Throws when an answer was wrong: what such a server took for it says nothing. */
export function refuseWrong({ wrong, checked, firstFault }: AnswerFaults): void {
  if (wrong > 0) throw new Error(`${wrong} of ${checked} answers were wrong; the first: ${firstFault}`);
}

function startProcess(job: PeerJob): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', PROGRAM, JSON.stringify(job)], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
}

async function resultOf(child: ChildProcess): Promise<PeerMeasurement> {
  const callOff = atEnd(() => endTree(child.pid as number, 'SIGTERM', ABORT_LIMIT_MS));
  let result: PeerMeasurement | undefined;
  let complaint = '';
  child.once('message', (message) => {
    result = message as PeerMeasurement;
  });
  child.stderr?.on('data', (data: Buffer) => {
    complaint += data.toString();
  });
  child.once('exit', callOff);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (result === undefined) throw new Error(`the measurement ended with code ${code}: ${complaint.slice(-600)}`);
  return result;
}
