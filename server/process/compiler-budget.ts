// How early V8 compiles a function for speed. Loaded ahead of all others: it counts for functions that run later.

import { setFlagsFromString } from 'node:v8';

/**
 * Bytes of bytecode that a function runs between two looks at whether it is worth compiling. At the start, and for good without
 * a warm-up, four times V8's own: what is compiled then is compiled once. In the warm-up little: what runs then is what counts,
 * also where it runs once a request or block. Behind it V8's own (`node --v8-options`): of the functions that are left, or whose
 * assumptions fail in use, fewer stay slow than with four times as much. Newer V8 counts calls instead.
 */
const BUDGETS = { start: 270_000, warmUp: 8_000, use: 67_584 } as const;
const NODE_WITH_BUDGET = '20';

export function setCompilerBudget(phase: keyof typeof BUDGETS): void {
  if (process.versions.node.split('.')[0] === NODE_WITH_BUDGET)
    setFlagsFromString(`--interrupt-budget=${BUDGETS[phase]}`);
}

setCompilerBudget('start');
