// The command line of `npm run bench`. Every fault is explained in one line, with what would have been right.

import { parseArgs } from 'node:util';
import { PEER_NAMES, type PeerName } from './peers/peer.ts';
import { NAMED_SUITES, SUITE_NAMES, type SuiteName } from './suite-names.ts';

/** The caller asked for something that is not there; shown without a stack. */
export class BenchUsageError extends Error {}

export interface BenchOptions {
  readonly suites: readonly SuiteName[];
  readonly quick: boolean;
  readonly runs: number;
  readonly seed: number;
  /** File for the JSON; undefined: one of its own in bench/results. */
  readonly out: string | undefined;
  /** Only cases with one of these texts in their name. */
  readonly only: readonly string[];
  /** Servers run from their TypeScript sources, and not built as people start them. */
  readonly fromSource: boolean;
  /** Lines on standard error about what is measured; a terminal has the newest of them anyway. */
  readonly progress: boolean;
  /** Minutes of the steady load of suite `scale`. */
  readonly minutes: number;
  /** Tags, and points of each, of suite `peers`; undefined: those of W1, fewer with `quick`. */
  readonly tags: number | undefined;
  readonly points: number | undefined;
  /** Points of a tag in a request of suite `peers`; undefined: those of W1. */
  readonly each: number | undefined;
  /** What suite `peers` measures. */
  readonly peers: readonly PeerName[];
}

export type Command =
  | { readonly kind: 'run'; readonly options: BenchOptions }
  | { readonly kind: 'compare'; readonly a: string; readonly b: string }
  | { readonly kind: 'help' };

export const USAGE = `npm run bench -- [options]
npm run bench -- --compare a.json b.json

  --suite a,b     suites to run, of: ${SUITE_NAMES.join(', ')}; all but ${NAMED_SUITES.join(', ')} when absent
  --peers         suite peers: Varve beside other engines, as far as they are installed, and plain Node
  --quick         everything small, one run of each: two minutes at most
  --runs n        runs of each case (5; with --quick 1)
  --case text     only cases with this text in their name; may be repeated
  --from-source   servers run from their sources, and not built as \`npm start\` runs them
  --progress      lines on standard error about what is measured (a terminal shows the newest of them anyway)
  --seed n        seed of the data (1)
  --minutes n     length of the steady load of suite scale (10; with --quick 3 seconds)
  --only a,b      what suite peers measures, of: ${PEER_NAMES.join(', ')}
  --tags n        tags of suite peers (1000; with --quick 100)
  --points n      points of each tag of suite peers (10000; with --quick 4000)
  --each n        points of each tag in a request of suite peers (10)
  --out file      file for the JSON (bench/results/<time>-<commit>.json)
  --compare a b   prints the ratios of two such files, and measures nothing`;

const OPTIONS = {
  suite: { type: 'string' },
  quick: { type: 'boolean', default: false },
  runs: { type: 'string' },
  case: { type: 'string', multiple: true },
  'from-source': { type: 'boolean', default: false },
  progress: { type: 'boolean', default: false },
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string' },
  peers: { type: 'boolean', default: false },
  only: { type: 'string' },
  tags: { type: 'string' },
  points: { type: 'string' },
  each: { type: 'string' },
  out: { type: 'string' },
  compare: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** What an option takes: numbers from one to the other, both included. */
interface NumberBounds {
  readonly min: number;
  readonly max: number;
  /** Whole numbers when absent. */
  readonly kind?: 'any';
}

const QUICK_MINUTES = 0.05;
const MOST_TAGS = 10_000;
const MOST_POINTS = 100_000;

/** Throws a BenchUsageError. */
export function parseCommand(words: readonly string[]): Command {
  const { values, positionals } = parseWords(words);
  if (values.help) return { kind: 'help' };
  if (values.compare) {
    const [a, b, ...others] = positionals;
    if (a === undefined || b === undefined || others.length > 0) {
      throw new BenchUsageError(`--compare wants two files; got ${positionals.length}`);
    }
    return { kind: 'compare', a, b };
  }
  if (values.peers && values.suite !== undefined) {
    throw new BenchUsageError('--peers is suite peers by itself; want --suite or --peers');
  }
  if (positionals.length > 0) throw new BenchUsageError(`got '${positionals[0]}', which is no option`);
  const { quick } = values;
  return {
    kind: 'run',
    options: {
      suites: values.peers ? ['peers'] : parseSuites(values.suite),
      quick,
      fromSource: values['from-source'],
      progress: values.progress,
      runs: parseNumber('--runs', values.runs, quick ? 1 : 5, { min: 1, max: 100 }),
      seed: parseNumber('--seed', values.seed, 1, { min: 0, max: 2 ** 31 - 1 }),
      out: values.out,
      only: values.case ?? [],
      minutes: parseNumber('--minutes', values.minutes, quick ? QUICK_MINUTES : 10, {
        min: 0.01,
        max: 600,
        kind: 'any',
      }),
      tags: parseSize('--tags', values.tags, MOST_TAGS),
      points: parseSize('--points', values.points, MOST_POINTS),
      each: parseSize('--each', values.each, MOST_POINTS),
      peers: parseNames('--only', 'peer', values.only ?? PEER_NAMES.join(','), PEER_NAMES),
    },
  };
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new BenchUsageError(error instanceof Error ? error.message : String(error));
  }
}

function parseSuites(text: string | undefined): SuiteName[] {
  if (text === undefined) return SUITE_NAMES.filter((name) => !NAMED_SUITES.includes(name));
  return parseNames('--suite', 'suite', text, SUITE_NAMES);
}

function parseNames<T extends string>(flag: string, noun: string, text: string, known: readonly T[]): T[] {
  const names = splitList(text);
  for (const name of names) {
    if ((known as readonly string[]).includes(name)) continue;
    throw new BenchUsageError(`there is no ${noun} '${name}'; want some of ${known.join(', ')}`);
  }
  if (names.length === 0) throw new BenchUsageError(`${flag} names no ${noun}`);
  return names as T[];
}

function parseSize(flag: string, text: string | undefined, max: number): number | undefined {
  return text === undefined ? undefined : parseNumber(flag, text, 0, { min: 1, max });
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function parseNumber(flag: string, text: string | undefined, otherwise: number, bounds: NumberBounds): number {
  if (text === undefined) return otherwise;
  const { min, max, kind } = bounds;
  const value = Number(text);
  const isRight = text.trim() !== '' && value >= min && value <= max && (kind === 'any' || Number.isInteger(value));
  if (isRight) return value;
  throw new BenchUsageError(
    `${flag} wants a ${kind === 'any' ? '' : 'whole '}number from ${min} to ${max}; got '${text}'`,
  );
}
