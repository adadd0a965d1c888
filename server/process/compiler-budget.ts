// How early V8 compiles a function for speed. Loaded ahead of all others: it counts for functions that are made later.

import { setFlagsFromString } from 'node:v8';

/**
 * Bytes of bytecode that a function runs between two looks at whether it is worth compiling; four times V8's own. What it compiles
 * then is compiled once: the first million points cost a quarter less, all later ones a tenth. Newer V8 counts calls instead.
 */
const INTERRUPT_BUDGET_BYTES = 270_000;
const NODE_WITH_BUDGET = '20';

if (process.versions.node.split('.')[0] === NODE_WITH_BUDGET)
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET_BYTES}`);
