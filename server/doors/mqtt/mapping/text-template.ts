// Texts with placeholders for parts of a message: `{line}/{3}.{field}`.

import { MappingFault } from './faults.ts';

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** What a placeholder stands for in one message. */
export interface Parts {
  /** By the number of the topic's level, from 0. */
  readonly levels: readonly string[];
  /** By name; what is missing is an empty text. */
  readonly named: Readonly<Record<string, string>>;
}

/** A level by its index, or a name. */
type Piece = string | { readonly level: number } | { readonly name: string };

export interface Placeholders {
  /** Levels that every topic has. */
  readonly levelCount: number;
  /** Names of levels, by number from 1. */
  readonly levelNames: ReadonlyMap<string, number>;
  /** Other names. */
  readonly names: readonly string[];
}

export class TextTemplate {
  /** Whether every message gives the same text. */
  readonly isFixed: boolean;
  /** Names that it uses, besides levels. */
  readonly names: ReadonlySet<string>;
  readonly #pieces: readonly Piece[];

  constructor(text: string, placeholders: Placeholders) {
    const pieces: Piece[] = [];
    let end = 0;
    for (const match of text.matchAll(PLACEHOLDER)) {
      pieces.push(literal(text.slice(end, match.index)), resolve(match[1] ?? '', placeholders));
      end = match.index + match[0].length;
    }
    pieces.push(literal(text.slice(end)));
    this.#pieces = pieces.filter((piece) => piece !== '');
    this.isFixed = this.#pieces.every((piece) => typeof piece === 'string');
    this.names = new Set(
      this.#pieces.flatMap((piece) => (typeof piece === 'object' && 'name' in piece ? piece.name : [])),
    );
  }

  render({ levels, named }: Parts): string {
    let text = '';
    for (const piece of this.#pieces) {
      if (typeof piece === 'string') text += piece;
      else text += ('level' in piece ? levels[piece.level] : named[piece.name]) ?? '';
    }
    return text;
  }
}

function literal(text: string): string {
  if (/[{}]/.test(text)) throw new MappingFault('a brace has no partner');
  return text;
}

function resolve(name: string, { levelCount, levelNames, names }: Placeholders): Piece {
  const number = /^\d{1,5}$/.test(name) ? Number(name) : levelNames.get(name);
  if (number !== undefined && number >= 1 && number <= levelCount) return { level: number - 1 };
  if (names.includes(name)) return { name };
  const numbers = levelCount === 0 ? [] : [levelCount === 1 ? '{1}' : `{1} to {${levelCount}}`];
  const known = [...numbers, ...[...levelNames.keys(), ...names].map((known) => `{${known}}`)];
  throw new MappingFault(`unknown placeholder {${name}}; here there are ${known.join(', ')}`);
}
