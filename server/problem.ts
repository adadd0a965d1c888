// Errors as the client sees them: application/problem+json (RFC 9457), with the reference product's `key` and `message`.

/** One fault in a body. */
export interface ProblemFault {
  /** JSON pointer (RFC 6901) to the faulty value; empty for the whole body. */
  readonly path: string;
  readonly message: string;
}

export interface ProblemOptions {
  /** Machine-readable name, as the reference has it: `Error.TagNotFound`. */
  readonly key?: string;
  /** At most the first 100 are sent. */
  readonly errors?: readonly ProblemFault[];
  readonly headers?: readonly (readonly [string, string])[];
  /** Further members of the problem (RFC 9457, 3.2). */
  readonly members?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A text that a client has sent as a message shows it: at most so many characters of it. */
export function shortened(text: string, mostChars: number): string {
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}

/** Thrown anywhere in the server; the wrapper of all handlers makes an answer of it. */
export class ProblemError extends Error {
  readonly status: number;
  readonly key: string | undefined;
  readonly errors: readonly ProblemFault[];
  readonly headers: readonly (readonly [string, string])[];
  readonly members: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ProblemError';
    this.status = status;
    this.key = options.key;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? [];
    this.members = options.members ?? {};
  }
}
