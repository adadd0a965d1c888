// The plain server in a process of its own, for measurements beside ours.

import { fileURLToPath } from 'node:url';
import { driveWrites } from '../client/write-driver.ts';
import { launch, MeasuredProcess } from '../support/measured-process.ts';
import type { WriteLoad } from '../workloads/write-load.ts';

const PROGRAM = fileURLToPath(new URL('plain-server.ts', import.meta.url));
const READY = /Listening on (http:\/\/\S+)/;

export interface PlainFigures {
  readonly pointsASecond: number;
  /** Processor time of its process; s per million points. */
  readonly cpuSecondsAMillion: number;
}

export function measurePlain(load: WriteLoad): Promise<PlainFigures> {
  return withPlainServer(async (server) => {
    const cpuBefore = server.cpuSeconds;
    const { elapsedMs } = await driveWrites(server.url, load);
    const cpuSecondsAMillion = ((server.cpuSeconds - cpuBefore) / load.points) * 1e6;
    return { pointsASecond: (load.points / elapsedMs) * 1000, cpuSecondsAMillion };
  });
}

/** Starts it, hands it to `work`, and sees that it ends. */
export async function withPlainServer<T>(work: (server: MeasuredProcess) => Promise<T>): Promise<T> {
  const server = new MeasuredProcess(await launch({ args: ['--import', 'tsx', PROGRAM], ready: READY }));
  try {
    return await work(server);
  } finally {
    await server.kill();
  }
}
