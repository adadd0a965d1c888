// Corrections in words.

import { formatBound } from '../model/time/time-range.ts';
import type { CorrectionAnswer } from './correction.ts';

const WORDS: Readonly<Record<CorrectionAnswer['kind'], string>> = {
  delete: 'Deleted',
  replace: 'Replaced',
  insert: 'Inserted',
  cut: 'Removed for good from',
};
/** Corrections that a mark names. */
const MOST_NAMED = 5;

export function describeCorrection({ kind, start, end }: CorrectionAnswer): string {
  const from = formatBound(Date.parse(start));
  const isPoint = start === end || kind === 'cut';
  return isPoint ? `${WORDS[kind]} ${from}` : `${WORDS[kind]} ${from} – ${formatBound(Date.parse(end))}`;
}

export function correctionMaker({ at, by, reason, undone }: CorrectionAnswer): string {
  const made = [by, formatBound(Date.parse(at)), reason].filter((part) => part !== '').join(', ');
  return undone === null ? made : `${made}; undone ${formatBound(Date.parse(undone.at))}`;
}

/** One line for each, the first few of many. */
export function correctionsTitle(corrections: readonly CorrectionAnswer[]): string {
  const named = corrections.slice(0, MOST_NAMED).map((one) => `${describeCorrection(one)} (${correctionMaker(one)})`);
  const rest = corrections.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}
