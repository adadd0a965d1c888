// Shares in percent as a reader wants them.

/** Never 0 or 100 for what is only near to it. */
export function formatPercent(percent: number): string {
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  if (percent < 100 && percent > 99.9) return '> 99.9 %';
  return `${Number(percent.toFixed(1))} %`;
}
