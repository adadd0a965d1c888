// `npm run bench -- [options]`: the measurements; `--help` lists the options.

import { ensureDependencies } from './dependencies.mjs';

ensureDependencies();
const { register } = await import('tsx/esm/api');
register();
await import('../bench/main.ts');
