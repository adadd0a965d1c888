// What the doctor finds: one line each, with the one thing that mends it.

export interface Finding {
  /** `error`: the server will not start, or loses something; `warn`: it will, but not as it should. */
  readonly level: 'ok' | 'warn' | 'error';
  readonly message: string;
  /** What to do; only with a warning or an error. */
  readonly fix?: string;
}

export function ok(message: string): Finding {
  return { level: 'ok', message };
}

export function warn(message: string, fix: string): Finding {
  return { level: 'warn', message, fix };
}

export function error(message: string, fix: string): Finding {
  return { level: 'error', message, fix };
}
