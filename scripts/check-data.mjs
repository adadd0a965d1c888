// `npm run check-data -- <folder>`: the offline check of a data folder.

import { ensureDependencies } from './dependencies.mjs';

ensureDependencies();
const { register } = await import('tsx/esm/api');
register();
process.argv.splice(2, 0, 'check');
await import('../server/main.ts');
