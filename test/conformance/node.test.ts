// The conformance suite over node:http.

import { runConformance } from './run-cases.ts';

runConformance('node', 'slice');
