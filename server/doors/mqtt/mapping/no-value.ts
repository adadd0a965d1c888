// Words that senders put where a value would be, when they have none. Taken as texts they would make a tag of numbers one of
// texts, if they came first, and would leave the last value in force, if they came later.

const NO_VALUE_WORDS = ['unavailable', 'unknown', 'undefined', 'n/a', 'nan', 'inf', 'infinity'];
const SIGN = /^[+-]/;

export type NoValueWords = ReadonlySet<string>;

/** The usual words, or those of the configuration; none where it has an empty list. */
export function noValueWords(words: readonly string[] = NO_VALUE_WORDS): NoValueWords {
  return new Set(words.map((word) => word.trim().toLowerCase()));
}

/** Whether a text stands for no value, whatever its capitals, its sign and the space around it. */
export function isNoValue(text: string, words: NoValueWords): boolean {
  const word = text.trim().toLowerCase();
  return words.has(word) || words.has(word.replace(SIGN, ''));
}
