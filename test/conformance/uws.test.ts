// The conformance suite over uWebSockets.js: the cases on which the transport bears.

import { runConformance } from './run-cases.ts';

runConformance('uws', ['transport']);
