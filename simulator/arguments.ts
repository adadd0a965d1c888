// The simulator's command line: flags to options, and what is wrong with them.

import { EXIT, RunError } from '../forward/errors.ts';
import { nearestName } from './config/document/faults.ts';

export interface SimulatorArguments {
  readonly config: string;
  readonly dataset: string | undefined;
  readonly url: URL;
  readonly token: string | undefined;
  readonly seed: number | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: number | undefined;
  readonly out: string | undefined;
  readonly state: string | undefined;
  readonly mode: 'live' | 'once' | 'check';
}

/** Holds the token when there is no `--token`: the arguments of a process can be listed by everybody on the machine. */
export const TOKEN_VARIABLE = 'SIMULATOR_TOKEN';

export const USAGE = `Usage: varve simulate --config <file> --dataset <name> [flags]
       (in a clone: npm run simulate -- --config <file> …)

  --config <file>    the simulator configuration (JSON, // comments allowed)
  --dataset <name>   the dataset to write to; it and its tags are created
  --url <address>    the server (default http://127.0.0.1:4511)
  --token <text>     sent as a bearer token (default: the environment variable SIMULATOR_TOKEN, which others cannot list)
  --seed <n>         whole number; the same seed, --now and configuration give the same points
  --now <time>       ISO 8601; taken as now (default: the clock)
  --once             back-fill to now, write ahead, and end
  --check            only check the configuration
  --out <file>       write the points as JSON lines instead of sending them
  --state <folder>   where the running state is kept (default: State of the configuration, or beside it)
  --help             this text
`;

const VALUE_FLAGS = ['config', 'dataset', 'url', 'token', 'seed', 'now', 'out', 'state'];
const PLAIN_FLAGS = ['once', 'check', 'help'];

/** Parses the arguments after the program's name; `help` when help is asked for. */
export function parseArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): SimulatorArguments | 'help' {
  const flags = collectFlags(args);
  if (flags.has('help')) return 'help';
  const config = flags.get('config');
  if (config === undefined) throw usage('--config <file> is missing');
  const mode = chooseMode(flags);
  const dataset = flags.get('dataset');
  if (dataset === undefined && mode !== 'check' && !flags.has('out')) throw usage('--dataset <name> is missing');
  return {
    config,
    dataset,
    url: parseUrl(flags.get('url') ?? 'http://127.0.0.1:4511'),
    token: parseToken(flags.get('token') ?? environment[TOKEN_VARIABLE]),
    seed: parseSeed(flags.get('seed')),
    nowMs: parseNow(flags.get('now')),
    out: flags.get('out'),
    state: flags.get('state'),
    mode,
  };
}

function collectFlags(args: readonly string[]): Map<string, string> {
  const flags = new Map<string, string>();
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    const match = /^--([A-Za-z-]+)(?:=([\s\S]*))?$/.exec(arg);
    const name = match?.[1] ?? '';
    if (PLAIN_FLAGS.includes(name) && match?.[2] === undefined) {
      flags.set(name, '');
    } else if (VALUE_FLAGS.includes(name)) {
      const value = match?.[2] ?? args[++i];
      if (value === undefined || value === '') throw usage(`--${name} needs a value`);
      flags.set(name, value);
    } else {
      const nearest = nearestName(name, [...VALUE_FLAGS, ...PLAIN_FLAGS]);
      throw usage(`${arg} is unknown${nearest === undefined ? '' : `; did you mean --${nearest}?`}`);
    }
  }
  return flags;
}

function chooseMode(flags: ReadonlyMap<string, string>): SimulatorArguments['mode'] {
  if (flags.has('check')) return 'check';
  return flags.has('once') ? 'once' : 'live';
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw usage(`--url ${text} is not an http:// or https:// address`);
  }
  return url;
}

function parseToken(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  // What a header cannot carry; the message does not repeat it.
  if (!/^[\x21-\x7e]+$/.test(text)) throw usage('the token holds characters that no token has');
  return text;
}

function parseSeed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seed = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seed)) throw usage(`--seed ${text} is not a whole number from 0`);
  return seed;
}

const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

function parseNow(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // Without an offset a time is UTC, everywhere in this project.
  const isLocal = text.includes('T') && !/(Z|[+-]\d\d:\d\d)$/.test(text);
  const nowMs = Date.parse(isLocal ? `${text}Z` : text);
  if (!ISO.test(text) || Number.isNaN(nowMs)) throw usage(`--now ${text} is not an ISO 8601 time`);
  return nowMs;
}

function usage(message: string): RunError {
  return new RunError(EXIT.usage, `${message}\n\n${USAGE}`);
}
