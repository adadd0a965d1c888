// Makes the answer of an error: application/problem+json, without internals of the server.

import { ProblemError } from '../problem.ts';
import type { ProblemForm, RenderedProblem } from './contract/http-server.ts';
import { statusTitle } from './status-titles.ts';

const MAX_FAULTS = 100;
const UNKNOWN_DETAIL = 'The server failed to answer this request. Its log has more.';

/** The form of the errors of a path; undefined where they are problem+json. */
export function problemFormOf(forms: readonly ProblemForm[], path: string): ProblemForm | undefined {
  return forms.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
}

/**
 * The answer to `error`, in a form of its own if there is one; `instance` is the path that was asked for. Anything but a
 * `ProblemError` is a plain 500.
 */
export function renderProblem(error: unknown, instance: string, form?: ProblemForm): RenderedProblem {
  if (!(error instanceof ProblemError)) return renderProblem(new ProblemError(500, UNKNOWN_DETAIL), instance, form);
  if (form !== undefined) return form.render(error);
  const { status, message, key, errors, members } = error;
  const body = {
    type: 'about:blank',
    title: statusTitle(status),
    status,
    detail: message,
    instance,
    ...(errors.length > 0 ? { errors: errors.slice(0, MAX_FAULTS) } : {}),
    ...(key === undefined ? {} : { key }),
    message,
    ...members,
  };
  return {
    status,
    headers: [['Content-Type', 'application/problem+json'], ...error.headers],
    body: JSON.stringify(body),
  };
}
