// `npm start -- [flags]`: installs what is missing, then runs the server in this very process, so that signals reach it;
// with the demo plant unless `--no-demo` is given.

import { ensureDependencies } from './dependencies.mjs';
import { endWithLauncher } from './launcher.mjs';
import { runSources } from './run-sources.mjs';

const NO_DEMO = '--no-demo';

endWithLauncher();
ensureDependencies('program');
const words = process.argv.slice(2);
await runSources(words.includes(NO_DEMO) ? words.filter((word) => word !== NO_DEMO) : [...words, '--demo']);
