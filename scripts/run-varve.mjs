// The program `varve` in this very process: the server's commands, the demo plant beside the server, and the simulator.

import { nameSourcesInTraces } from '../server/process/source-traces.ts';

/** Runs `varve <words>`; the process ends with it. */
export async function runVarve(words) {
  nameSourcesInTraces();
  const [command, ...rest] = words;
  const isSimulator = command === 'simulate';
  process.argv.splice(2, process.argv.length, ...(isSimulator ? rest : words));
  if (isSimulator) {
    await import('../simulator/main.ts');
    return;
  }
  const { registerCompanion } = await import('../server/process/companion.ts');
  registerCompanion(async (options) => {
    const { startDemo } = await import('../simulator/demo.ts');
    return startDemo(options);
  });
  await import('../server/main.ts');
}
