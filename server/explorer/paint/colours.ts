// The colours of canvases, taken from the style sheet, so that both follow the theme.

export interface Colours {
  readonly series: readonly string[];
  readonly status: Readonly<Record<64 | 28 | 24, string>>;
  readonly text: string;
  readonly muted: string;
  readonly grid: string;
  readonly bad: string;
  readonly ahead: string;
  readonly accent: string;
  readonly font: string;
}

/** One colour for each tag that a trend can hold. */
export const SERIES_COLOURS = 16;

export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string): string => style.getPropertyValue(name).trim();
  return {
    series: Array.from({ length: SERIES_COLOURS }, (_, index) => value(`--series-${index + 1}`)),
    status: { 64: value('--status-64'), 28: value('--status-28'), 24: value('--status-24') },
    text: value('--text'),
    muted: value('--muted'),
    grid: value('--grid'),
    bad: value('--bad'),
    ahead: value('--ahead'),
    accent: value('--accent'),
    font: value('--font'),
  };
}

export function seriesColour(colours: Colours, index: number): string {
  return colours.series[index % SERIES_COLOURS] ?? colours.text;
}
