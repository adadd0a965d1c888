// The entry of the process, and the only place that ends it.

import './process/young-generation.ts';
import { runCommand } from './cli.ts';

process.exit(await runCommand(process.argv.slice(2)));
