// Lengths of time and sizes as short texts.

import { formatRelativeSpan } from './relative-time.ts';

const STEPS = [
  { ms: 365 * 86_400_000, unit: 'y' },
  { ms: 86_400_000, unit: 'd' },
  { ms: 3_600_000, unit: 'h' },
  { ms: 60_000, unit: 'min' },
  { ms: 1000, unit: 's' },
] as const;

/** `now`, `12 s`, `4 min`, `3.2 h`, `6.9 d`, `2.1 y`; `in 4 min` for what lies ahead. */
export function formatAge(ageMs: number): string {
  if (Math.abs(ageMs) < 1000) return 'now';
  return ageMs < 0 ? `in ${formatSpan(-ageMs)}` : formatSpan(ageMs);
}

/** One unit, with a decimal below ten of hours and longer ones. */
export function formatSpan(spanMs: number): string {
  const step = STEPS.find(({ ms }) => spanMs >= ms);
  if (step === undefined) return `${Math.round(spanMs)} ms`;
  const count = spanMs / step.ms;
  const isExactEnough = count >= 10 || step.ms < 3_600_000;
  return `${isExactEnough ? Math.floor(count + 1e-9) : Math.floor(count * 10 + 1e-9) / 10} ${step.unit}`;
}

/** Exact and with a sign: `+1h30m5s`, `-250 ms`; to the second from a minute on. */
export function formatDistance(byMs: number): string {
  const sign = byMs < 0 ? '-' : '+';
  const size = Math.abs(byMs);
  if (size < 1000) return `${sign}${Math.round(size)} ms`;
  return size < 60_000 ? `${sign}${Number((size / 1000).toFixed(2))} s` : `${sign}${formatRelativeSpan(size)}`;
}

/** Bytes from gigabytes: `0 B`, `812 kB`, `3.4 MB`, `1.2 GB`. */
export function formatSize(sizeGb: number): string {
  const bytes = sizeGb * 1e9;
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  if (bytes < 1e6) return `${shorten(bytes / 1e3)} kB`;
  if (bytes < 1e9) return `${shorten(bytes / 1e6)} MB`;
  return `${shorten(bytes / 1e9)} GB`;
}

/** `0`, `12`, `3.4k`, `1.2M`: for counts where the last digits do not matter. */
export function formatCount(count: number): string {
  if (count < 1000) return shorten(count);
  return count < 1e6 ? `${shorten(count / 1e3)}k` : `${shorten(count / 1e6)}M`;
}

function shorten(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toFixed(1)));
}
