// Runs axe-core over a page. It is put in through the browser's debugger, because the page's own policy takes no script.

import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
  }[];
  readonly passCount: number;
}

/** What is well is only counted: all of it would be megabytes. */
const RUN = `axe.run(document, { resultTypes: ['violations'] })
  .then(({ violations, passes }) => ({ violations, passCount: passes.length }))`;

/** The serious and critical findings, one line each; throws when the run has checked next to nothing. */
export async function seriousFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  const { violations, passCount } = (await page.evaluate(RUN)) as AxeResult;
  if (passCount < 15) throw new Error(`axe-core passed only ${passCount} rules`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    );
}
