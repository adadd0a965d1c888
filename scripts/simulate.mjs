// `npm run simulate -- --config <file> --dataset <name> …`: the simulator, against a running server.

import { ensureDependencies } from './dependencies.mjs';

ensureDependencies();
const { register } = await import('tsx/esm/api');
register();
await import('../simulator/main.ts');
