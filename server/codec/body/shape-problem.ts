// The refusal of a body that is something else than points, or points by tag.

import { ProblemError } from '../../problem.ts';

/** A 400 about the body as a whole. */
export function shapeProblem(got: string, want: string): ProblemError {
  const message = `got ${got}; want ${want}`;
  return new ProblemError(400, `The body has the wrong shape: ${message}.`, { errors: [{ path: '', message }] });
}
