// Requests to this server: JSON in and out, the token when there is one, and the server's clock.

const TOKEN_KEY = 'varve.token';
/** The Date header counts whole seconds; a smaller difference of the clocks is not seen by it. */
const CLOCK_TOLERANCE_MS = 2500;

let clockOffsetMs = 0;

/** What the server said when it refused. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Now by the server's clock, milliseconds since 1970. */
export function serverNowMs(): number {
  return Date.now() + clockOffsetMs;
}

export function currentToken(): string | undefined {
  return sessionStorage.getItem(TOKEN_KEY) ?? undefined;
}

/** Kept until the tab is closed. */
export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token.trim());
}

export function forgetToken(): void {
  sessionStorage.removeItem(TOKEN_KEY);
}

/** Ends as the signal does, and after so long: a line that is cut without a word must show as well. */
export function withLimit(signal: AbortSignal, limitMs: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer, whatever its status but 2xx throws an `ApiError`. */
export async function send(path: string, call: Call = {}): Promise<Response> {
  const { method = 'GET', body, signal, headers = {} } = call;
  const token = currentToken();
  const response = await fetch(path, {
    method,
    headers: { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    cache: 'no-store',
  });
  noteClock(response);
  if (response.ok) return response;
  const fault = await faultOf(response);
  // It says nothing of a token that was entered meanwhile.
  if (response.status === 401 && token !== currentToken()) return send(path, call);
  throw new ApiError(response.status, fault);
}

export async function sendForJson<T>(path: string, call?: Call): Promise<T> {
  return (await send(path, call)).json() as Promise<T>;
}

function noteClock(response: Response): void {
  const serverMs = Date.parse(response.headers.get('Date') ?? '');
  if (Number.isNaN(serverMs)) return;
  const offsetMs = serverMs + 500 - Date.now();
  clockOffsetMs = Math.abs(offsetMs) < CLOCK_TOLERANCE_MS ? 0 : offsetMs;
}

async function faultOf(response: Response): Promise<string> {
  try {
    const { detail, title } = (await response.json()) as { detail?: string; title?: string };
    return detail ?? title ?? `The server answered ${response.status}.`;
  } catch {
    return `The server answered ${response.status}.`;
  }
}
