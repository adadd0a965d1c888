// What answers of a Varve server mean to its clients: which failures pass by themselves, and its words for the others.

/** Faults in the body, as pointers into it with a message each. */
export interface ProblemFault {
  readonly path: string;
  readonly message: string;
}

export interface Problem {
  /** The server's own words; undefined where it has none. */
  readonly detail: string | undefined;
  readonly faults: readonly ProblemFault[];
}

/** Most characters that are shown of a text which is no problem of a Varve. */
const MOST_SHOWN = 300;

/** Whether a status is a success. */
export function isDone(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether a request that was answered so may be sent again: the server is busy, starts, stops, or has a full disk. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** Reads a problem (RFC 9457); of anything else the beginning of its text is the detail. */
export function readProblem(text: string): Problem {
  const problem = parseObject(text);
  if (problem === undefined) return { detail: text === '' ? undefined : text.slice(0, MOST_SHOWN), faults: [] };
  const detail = problem.detail ?? problem.message ?? problem.title;
  const errors = Array.isArray(problem.errors) ? problem.errors : [];
  return { detail: detail === undefined ? undefined : String(detail), faults: errors.map(faultOf) };
}

interface ProblemObject {
  readonly detail?: unknown;
  readonly message?: unknown;
  readonly title?: unknown;
  readonly errors?: unknown;
}

function parseObject(text: string): ProblemObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function faultOf(fault: { readonly path?: unknown; readonly message?: unknown } | null): ProblemFault {
  return { path: String(fault?.path ?? ''), message: String(fault?.message ?? '') };
}
