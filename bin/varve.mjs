#!/usr/bin/env node
// The installed binary.

import { runVarve } from '../scripts/run-varve.mjs';

await runVarve(process.argv.slice(2));
