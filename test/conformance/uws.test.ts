// The conformance suite over uWebSockets.js.

import { runConformance } from './run-cases.ts';

runConformance('uws', 'slice');
