// `npm run simulate -- --config <file> --dataset <name> …`: the simulator, against a running server.

import { ensureDependencies } from './dependencies.mjs';
import { runSources } from './run-sources.mjs';

ensureDependencies('program');
await runSources(['simulate', ...process.argv.slice(2)]);
