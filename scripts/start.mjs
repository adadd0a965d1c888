// `npm start -- [flags]`: installs what is missing, then runs the server in this very process, so that signals reach it.

import { ensureDependencies } from './dependencies.mjs';
import { endWithLauncher } from './launcher.mjs';

endWithLauncher();
ensureDependencies();
// There is no demo plant to leave out; the flag is taken, because scripts may say it already.
process.argv = process.argv.filter((word) => word !== '--no-demo');
const { register } = await import('tsx/esm/api');
register();
await import('../server/main.ts');
