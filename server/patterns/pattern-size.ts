// How large a pattern is at most, told from its text alone and in one pass over it: a counted repetition writes its part out so
// many times, so that a few bytes can come to a program of millions of steps. Nothing is compiled here.

/** Each in turn: what is repeated by a count behind it, and what opens and closes a part. All else is a character. */
const TOKENS = new RegExp(
  [
    String.raw`(?<quoted>\\Q[^]*?(?:\\E|$))`,
    String.raw`(?<flags>\(\?[A-Za-z-]*\))`,
    String.raw`(?<plain>\(\?(?:[A-Za-z-]*:))`,
    String.raw`(?<named>\(\?P?<\w*>)`,
    String.raw`(?<set>\[\^?\]?(?:\[:\^?\w*:\]|\\[^]|[^\]\\])*\]?)`,
    String.raw`(?<property>\\[pP](?:\{[^}]{0,50}\}|[^]))`,
    String.raw`(?<code>\\x\{[^}]{0,50}\}|\\x[\dA-Fa-f]{2}|\\[0-7]{1,3})`,
    String.raw`(?<count>\{(?<least>\d+)(?<range>,(?<most>\d*))?\})`,
    String.raw`\\?[^]`,
  ].join('|'),
  'gu',
);
const REPEATED: ReadonlySet<string> = new Set(['*', '+', '?']);
/** A class of characters such as \pL has hundreds of ranges. */
const PROPERTY = /\\[pP]/g;
const PROPERTY_SIZE = 30;
const IGNORES_CASE = /\(\?[A-Za-z-]*i/;
/** The upper end of a range within a set: where case is ignored, each character of the range is looked at. */
const RANGE_END = /-(?:\\x\{([\dA-Fa-f]+)\}|(.))/gsu;
const LAST_WITH_CASE = 0x1e943;
const CHARACTERS_A_STEP = 32;
/** Larger counts are no pattern; to find this is left to the library. */
const MAX_COUNT = 1000;
const CAPTURE_STEPS = 2;

/** A part in parentheses, with its own steps, and those of what a repetition that follows would repeat. */
interface Part {
  steps: number;
  last: number;
}

/** About the steps that compiling makes: not less than half of them, and more where alternatives begin alike. */
export function patternSize(text: string): number {
  return Math.max(stepsOf(text), text.length) + extraOf(text);
}

function stepsOf(text: string): number {
  const open: Part[] = [];
  let part: Part = { steps: 0, last: 0 };
  for (const { 0: token, groups = {} } of text.matchAll(TOKENS)) {
    if (groups.flags !== undefined) continue; // A repetition behind it is one of what stands before it.
    if (token === '(' || groups.plain !== undefined || groups.named !== undefined) {
      open.push(part);
      part = { steps: groups.plain === undefined ? CAPTURE_STEPS : 0, last: 0 };
    } else if (token === ')') {
      const { steps } = part;
      part = open.pop() ?? { steps: 0, last: 0 };
      add(part, steps);
    } else if (groups.count !== undefined) repeat(part, groups);
    else if (REPEATED.has(token)) repeatFreely(part);
    else add(part, groups.quoted === undefined ? 1 : token.length);
  }
  return [...open, part].reduce((sum, { steps }) => sum + steps, 0);
}

function repeatFreely(part: Part): void {
  part.steps++;
  part.last++;
}

function add(part: Part, steps: number): void {
  part.steps += steps;
  part.last = steps;
}

function repeat(part: Part, { least, range, most }: Readonly<Record<string, string | undefined>>): void {
  const count = Math.min(MAX_COUNT, Math.max(1, Number(least), Number(most ?? 0)));
  const each = part.last + (range === undefined ? 0 : 1);
  part.steps += count * each - part.last;
  part.last = count * each;
}

/** What is done once, however often it is repeated: to gather which characters are meant. */
function extraOf(text: string): number {
  const propertyCount = text.match(PROPERTY)?.length ?? 0;
  return PROPERTY_SIZE * propertyCount + (IGNORES_CASE.test(text) ? foldingSize(text) : 0);
}

function foldingSize(text: string): number {
  let size = 0;
  for (const [, code, character] of text.matchAll(RANGE_END)) {
    const end = code === undefined ? (character?.codePointAt(0) ?? 0) : Number.parseInt(code, 16);
    size += Math.ceil(Math.min(end, LAST_WITH_CASE) / CHARACTERS_A_STEP);
  }
  return size;
}
