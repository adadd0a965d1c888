// The cluster as a program: starts it, says how to use it, and ends it with Ctrl-C or SIGTERM.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestCluster, whyNoCluster } from './cluster.ts';

const missing = whyNoCluster();
if (missing !== false) {
  console.error(`There is no cluster here: ${missing}. Run: sudo bash scripts/install-test-packages.sh`);
  process.exitCode = 1;
} else await runCluster();

async function runCluster(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-cluster-'));
  try {
    const startMs = performance.now();
    const cluster = await TestCluster.start(folder);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    const address = `${cluster.address}/varve?cluster=varve&quorum=2`;
    console.log(
      `ZooKeeper and two shards of two servers answer after ${seconds} s. Two shells for a plant and its centre:`,
    );
    console.log(`  npm start -- --port 4511 --data ./north --site North --centre '${address}'`);
    console.log(`  npm start -- --port 4512 --no-demo --engine '${address}'`);
    console.log('Ctrl-C ends it and removes its data.');
    await endOfUse();
    await cluster.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function endOfUse(): Promise<void> {
  return new Promise((resolve) => {
    // What keeps the process alive until then.
    const idle = setInterval(() => undefined, 60_000);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        clearInterval(idle);
        resolve();
      });
    }
  });
}
