// Topics of the configuration: filters of MQTT, in which a level may also be `{name}`, a wildcard with a name.

import { MappingFault } from './faults.ts';

const NAMED_LEVEL = /^\{([A-Za-z][A-Za-z0-9_-]*)\}$/;
const MOST_BYTES = 65_535;

export class TopicPattern {
  /** Filter in the broker's form: named levels are `+`. */
  readonly filter: string;
  /** Number of each named level, from 1. */
  readonly names: ReadonlyMap<string, number>;
  readonly levelCount: number;
  /** Whether it ends with `#`. */
  readonly hasRest: boolean;
  readonly #levels: readonly string[];

  constructor(text: string) {
    const names = new Map<string, number>();
    const levels = text.split('/').map((level, index) => {
      const name = NAMED_LEVEL.exec(level)?.[1];
      if (name === undefined) return level;
      if (names.has(name)) throw new MappingFault(`two levels have the name {${name}}`);
      names.set(name, index + 1);
      return '+';
    });
    checkLevels(levels);
    this.names = names;
    this.hasRest = levels.at(-1) === '#';
    this.#levels = this.hasRest ? levels.slice(0, -1) : levels;
    this.levelCount = this.#levels.length;
    this.filter = levels.join('/');
    if (Buffer.byteLength(this.filter) > MOST_BYTES) throw new MappingFault(`want at most ${MOST_BYTES} bytes`);
  }

  /** Whether a topic, split into its levels, is one of these. Wildcards at the start match no topic that begins with `$`. */
  matches(topic: readonly string[]): boolean {
    const levels = this.#levels;
    if (this.hasRest ? topic.length < levels.length : topic.length !== levels.length) return false;
    if (topic[0]?.startsWith('$') && (levels.length === 0 || levels[0] === '+')) return false;
    return levels.every((level, i) => level === '+' || level === topic[i]);
  }
}

function checkLevels(levels: readonly string[]): void {
  for (const [index, level] of levels.entries()) {
    if (level === '#' && index < levels.length - 1) throw new MappingFault("'#' is not the last level");
    if (level !== '#' && level !== '+' && /[#+{}\0]/.test(level))
      throw new MappingFault(`the level '${level}' is neither a text, '+', '#' nor a name such as {line}`);
  }
  if (levels.length === 1 && levels[0] === '') throw new MappingFault('it is empty');
}
