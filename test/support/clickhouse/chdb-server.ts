// Starts chdb as a server for tests of the modern dialect of ClickHouse.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('chdb-child.ts', import.meta.url));
const START_LIMIT_MS = 60_000;

export interface ChdbServer {
  /** `clickhouse://…`, without a database. */
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** On a folder of its own, which need not be there. Rejects when it does not start. */
export async function startChdb(folder: string): Promise<ChdbServer> {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const printed = once(child.stdout, 'data', { signal: AbortSignal.timeout(START_LIMIT_MS) });
  const failed = ended.then(([code]) => Promise.reject(new Error(`chdb ended with code ${code}`)));
  failed.catch(() => undefined);
  const [text] = (await Promise.race([printed, failed])) as [Buffer];
  return {
    address: `clickhouse://127.0.0.1:${String(text).trim()}`,
    pid: child.pid as number,
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}
