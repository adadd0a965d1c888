// The part of a search that asks for the quality of the value in force now: `quality=bad`. It is known only when it is read, so
// it comes after the rest. Pure.

import { qualityWord } from './value-text.ts';

/** Undefined for a tag without a point. */
export type QualityNow = number | undefined;

export interface QualitySearch {
  /** The search without it. */
  readonly rest: string;
  /** Undefined when it is not asked for. */
  readonly wants: ((quality: QualityNow) => boolean) | undefined;
}

const TERM = /(?:^|\s)quality=(\S*)/gi;

/** `good`, `uncertain`, `bad`, or the beginning of one; a number; `none` for tags without a point. Several of them: any of these. */
export function splitQuality(text: string): QualitySearch {
  const wanted = [...text.matchAll(TERM)].map(([, word = '']) => word.toLowerCase());
  if (wanted.length === 0) return { rest: text, wants: undefined };
  const words = wanted.filter((word) => word !== '');
  // While the word is being typed nothing is left out.
  const wants = (quality: QualityNow): boolean => words.length === 0 || words.some((word) => matches(word, quality));
  return { rest: text.replace(TERM, ' ').trim(), wants };
}

function matches(word: string, quality: QualityNow): boolean {
  if (quality === undefined) return 'none'.startsWith(word);
  return /^\d+$/.test(word) ? quality === Number(word) : qualityWord(quality).startsWith(word);
}
