// The conformance suite over node:http: the cases on which the transport bears.

import { runConformance } from './run-cases.ts';

runConformance('node', ['transport']);
