// What is said of a query that cannot be answered.

import { ProblemError } from '../../../problem.ts';

export function badQuery(detail: string): ProblemError {
  return new ProblemError(400, detail);
}
