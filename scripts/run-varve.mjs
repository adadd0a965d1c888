// Runs the program in this very process: TypeScript is compiled as it is loaded, and the demo plant is at hand.

import { register } from 'tsx/esm/api';

export async function runVarve(words) {
  process.argv.splice(2, process.argv.length, ...words);
  register();
  const { registerCompanion } = await import('../server/companion.ts');
  registerCompanion(async (options) => {
    const { startDemo } = await import('../simulator/demo.ts');
    return startDemo(options);
  });
  await import('../server/main.ts');
}
