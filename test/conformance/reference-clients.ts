// Registers the cases of the table in docs/reference-clients.md: each in every mode that its row names.

import type { CaseContext } from './case-context.ts';
import { REFERENCE_ROWS, type ReferenceRow, type RowMode } from './reference-rows.ts';
import { proves } from './registry.ts';

const TIMEBASE_FLAGS = ['--compat', 'timebase'];

/** `run` gets a server of the mode, and the flags that make it. */
export function answersClients(
  row: ReferenceRow,
  fact: string,
  run: (c: CaseContext, flags: readonly string[]) => Promise<void>,
): void {
  const mode: RowMode = REFERENCE_ROWS[row];
  if (mode !== 'timebase') proves(`reference/${row}`, fact, (c) => run(c, []));
  if (mode === 'default') return;
  proves(`reference/${row}`, `${fact} (--compat timebase)`, async (c) => {
    await run(await c.withSharedServer(TIMEBASE_FLAGS), TIMEBASE_FLAGS);
  });
}
