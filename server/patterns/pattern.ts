// Regular expressions of clients, matched in time linear in the text, so that none can hold the server up: the part of the
// RE2 syntax that selections of names are written in. A pattern is for a whole text, as in Prometheus.

import { type CharTest, type PatternNode, PatternParser } from './pattern-parser.ts';

/** Of a pattern after its repetitions are written out: each character of a text costs a look at so many at most. */
const MAX_STEPS = 2500;
/** Parts of the pattern that are gone over for that, also those without a step. */
const MAX_COMPILED = 20_000;
const MAX_ROUNDS = 2 ** 30;

/** One step of a compiled pattern: a character to take, a way that forks, or the end. */
type Step =
  | { readonly kind: 'take'; readonly test: CharTest; readonly next: number }
  | { readonly kind: 'fork'; readonly ways: readonly number[] }
  | { readonly kind: 'end' };

export class Pattern {
  /** The texts that match, when the pattern is a choice among texts as they are; undefined for all others. */
  readonly texts: readonly string[] | undefined;
  readonly #textSet: ReadonlySet<string> | undefined;
  readonly #steps: Step[] = [];
  readonly #first: number;
  #compiled = 0;
  /** The steps reached before and after a character, and the round in which each was reached last. */
  #now: Int32Array;
  #then: Int32Array;
  readonly #open: number[] = [];
  readonly #reachedIn: Int32Array;
  #round = 0;

  /** Throws an `Error` that says what is wrong with the pattern, or that it is too long. */
  constructor(text: string) {
    const tree = new PatternParser(text).parse();
    this.texts = textsOf(tree);
    this.#textSet = this.texts && new Set(this.texts);
    const end = this.#add({ kind: 'end' });
    this.#first = this.texts === undefined ? this.#compile(tree, end) : end;
    this.#now = new Int32Array(this.#steps.length);
    this.#then = new Int32Array(this.#steps.length);
    this.#reachedIn = new Int32Array(this.#steps.length).fill(-1);
  }

  /** Whether the whole text is one of the pattern. */
  matches(text: string): boolean {
    if (this.#textSet !== undefined) return this.#textSet.has(text);
    const steps = this.#steps;
    if (++this.#round > MAX_ROUNDS) this.#startOver();
    let count = this.#enter(this.#first, this.#now, 0);
    for (const char of text) {
      const code = char.codePointAt(0) as number;
      if (++this.#round > MAX_ROUNDS) this.#startOver();
      let reached = 0;
      for (let i = 0; i < count; i++) {
        const step = steps[this.#now[i] as number] as Step;
        if (step.kind === 'take' && step.test(code)) reached = this.#enter(step.next, this.#then, reached);
      }
      if (reached === 0) return false;
      count = reached;
      [this.#now, this.#then] = [this.#then, this.#now];
    }
    return this.#now.subarray(0, count).some((at) => steps[at]?.kind === 'end');
  }

  /** Appends the steps that can be reached from this one without a character, and were not yet; returns how many there are. */
  #enter(from: number, into: Int32Array, count: number): number {
    const open = this.#open;
    let reached = count;
    open.push(from);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.#reachedIn[at] === this.#round) continue;
      this.#reachedIn[at] = this.#round;
      into[reached++] = at;
      const step = this.#steps[at] as Step;
      if (step.kind === 'fork') open.push(...step.ways);
    }
    return reached;
  }

  #startOver(): void {
    this.#reachedIn.fill(-1);
    this.#round = 0;
  }

  #add(step: Step): number {
    if (this.#steps.length >= MAX_STEPS) throw tooLong();
    return this.#steps.push(step) - 1;
  }

  /** The step that the node begins with, when `next` is what follows it. */
  #compile(node: PatternNode, next: number): number {
    if (++this.#compiled > MAX_COMPILED) throw tooLong();
    switch (node.kind) {
      case 'char':
        return this.#add({ kind: 'take', test: node.test, next });
      case 'sequence':
        return node.parts.reduceRight((following, part) => this.#compile(part, following), next);
      case 'choice':
        return this.#add({ kind: 'fork', ways: node.parts.map((part) => this.#compile(part, next)) });
      case 'repeat':
        return this.#compileRepeat(node, next);
    }
  }

  #compileRepeat({ part, least, most }: PatternNode & { kind: 'repeat' }, next: number): number {
    let following = next;
    if (most === undefined) {
      const ways: number[] = [next];
      following = this.#add({ kind: 'fork', ways });
      ways.push(this.#compile(part, following));
    } else {
      for (let i = least; i < most; i++) {
        following = this.#add({ kind: 'fork', ways: [next, this.#compile(part, following)] });
      }
    }
    for (let i = 0; i < least; i++) following = this.#compile(part, following);
    return following;
  }
}

/** A list that was chosen from, as `(a|b|c)`: it may be long. */
function textsOf(tree: PatternNode): readonly string[] | undefined {
  const inner = tree.kind === 'sequence' && tree.parts.length === 1 ? (tree.parts[0] as PatternNode) : tree;
  if (inner.kind !== 'choice') {
    const text = textOf(inner);
    return text === undefined ? undefined : [text];
  }
  const texts: string[] = [];
  for (const part of inner.parts) {
    const text = textOf(part);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts;
}

function textOf(node: PatternNode): string | undefined {
  if (node.kind === 'char') return node.char;
  if (node.kind !== 'sequence') return undefined;
  let text = '';
  for (const part of node.parts) {
    if (part.kind === 'sequence' && part.parts.length === 0) continue;
    if (part.kind !== 'char' || part.char === undefined) return undefined;
    text += part.char;
  }
  return text;
}

function tooLong(): Error {
  return new Error(`it comes to more than ${MAX_STEPS} steps`);
}
