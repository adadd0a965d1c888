// Whether the page is being printed: then it is light whatever the screen is, and the chart has a width of its own.

import { createStore } from '../state/store.ts';
import { keptTheme, showTheme } from '../user/theme.ts';

/** The style sheet fits it to whatever the paper has. */
export const PAPER_CHART = { widthPx: 900, heightPx: 340 } as const;

export const paper = createStore<{ readonly printedAtMs: number | undefined }>({ printedAtMs: undefined });

/** Canvases are drawn again before the browser takes its picture: what is done here is rendered at once, as a microtask. */
export function followPrinting(): void {
  addEventListener('beforeprint', () => {
    paper.set({ printedAtMs: Date.now() });
    showTheme('light');
  });
  addEventListener('afterprint', () => {
    paper.set({ printedAtMs: undefined });
    showTheme(keptTheme());
  });
}
