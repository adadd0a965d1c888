#!/usr/bin/env node
// The command `varve`. A package has the program built beside this folder; a clone has its sources, and runs from them.

import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Varve needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(2);
}
const words = process.argv.slice(2);
if (existsSync(new URL('../server/main.ts', import.meta.url))) {
  const { runClone } = await import('../scripts/run-sources.mjs');
  await runClone(words);
} else {
  const { runVarve } = await import('../program/scripts/run-varve.js');
  await runVarve(words);
}
