// The conformance suite over node:http: the cases of flags, restarts and clocks.

import { runConformance } from './run-cases.ts';

runConformance('node', ['behind']);
