// What is said of parameters that are not as they should be.

import { ProblemError, shortened } from '../../problem.ts';

export function badParameter(detail: string): ProblemError {
  return new ProblemError(400, detail, { key: 'Error.BadParameter' });
}

/** A value as it was sent, for a message. */
export function quoted(text: string): string {
  return `'${shortened(text, 100)}'`;
}

/** One of a few words. Throws a 400. */
export function oneOf<T extends string>(name: string, text: string | undefined, allowed: readonly T[]): T | undefined {
  const found = allowed.find((word) => word === text);
  if (text === undefined || found !== undefined) return found;
  throw badParameter(`'${name}' is ${quoted(text)}; want ${allowed.join(' or ')}.`);
}
