// The log: JSON lines on standard error, written off the main path; a person at a terminal gets what ends the server as a
// sentence. Standard output holds the ready line only. Names in it come from clients: nothing that readers take for the end
// of a line, or terminals for a command, goes out as it is.

import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { EngineEvent } from '../engine/index.ts';

export interface Log {
  readonly logger: Logger;
  /** Writes out what is still in memory; call it last. */
  flush(): void;
}

export function openLog(level: string, isTerminal = process.stderr.isTTY): Log {
  const target = destination({ fd: 2, sync: false });
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const form = isTerminal ? lineForPerson : escapeLine;
  const stream = { write: (line: string) => void target.write(form(line)) };
  return { logger: pino(options, stream), flush: () => target.flushSync() };
}

/**
 * What JSON leaves as it is in texts, but some readers take for more: line ends (U+0085, U+2028, U+2029), the other control
 * characters from U+007F on, and those that turn the direction of writing.
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The same JSON, with these written as escapes. They can only be inside of texts. */
export function escapeLine(line: string): string {
  return line.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const FATAL = '{"level":"fatal"';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const CONTROLS = /[\u0000-\u0009\u000b-\u001f]/g;

interface FatalEntry {
  readonly msg: string;
  /** Why, in the words of the system; for faults outside of the program. */
  readonly cause?: string;
  /** A fault of the program. */
  readonly err?: { readonly stack?: string };
}

/** A line of the log as a person at a terminal gets it: the last words as a sentence, with the trace of a fault of ours. */
export function lineForPerson(line: string): string {
  if (!line.startsWith(FATAL)) return escapeLine(line);
  const { msg, cause, err } = JSON.parse(line) as FatalEntry;
  // The system's words are often in the sentence already.
  const isNew = cause !== undefined && cause !== 'undefined' && !msg.includes(cause.replace(/^Error: /, ''));
  const sentences = [`varve: ${msg}`, ...(isNew ? [`(${cause})`] : [])].join(' ');
  const trace =
    err?.stack === undefined ? '' : `\n${err.stack}\nThis is a fault of Varve; please report it with these lines.`;
  return `${escapeLine(sentences + trace).replace(CONTROLS, ' ')}\n`;
}

/** An event of the engine as a line of the log. */
export function logEvent(logger: Logger, event: EngineEvent): void {
  const { level, message, details, ...known } = event;
  logger[level]({ ...known, ...(details === undefined ? {} : { details }) }, message);
}
