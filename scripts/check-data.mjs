// `npm run check-data -- <folder>`: the offline check of a data folder.

import { ensureDependencies } from './dependencies.mjs';
import { runSources } from './run-sources.mjs';

ensureDependencies('program');
await runSources(['check', ...process.argv.slice(2)]);
