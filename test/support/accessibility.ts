// Runs axe-core over a page. It is put in through the browser's debugger, because the page's own policy takes no script.

import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
  }[];
  readonly passes: readonly unknown[];
}

/** The serious and critical findings, one line each; throws when the run has checked next to nothing. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const result = (await page.evaluate('axe.run(document)')) as AxeResult;
  if (result.passes.length < 15) throw new Error(`axe-core passed only ${result.passes.length} rules`);
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    );
}
