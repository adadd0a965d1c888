// What answers while there is no engine: the server listens before the data folder is open.

import type { HttpHandler } from './http/contract/http-server.ts';
import { ProblemError } from './problem.ts';
import { sendJson } from './routes/answer/answers.ts';

export interface Gate {
  /** Give this to the HTTP server; it passes requests on once `open` was called. */
  readonly handler: HttpHandler;
  open(app: HttpHandler): void;
  /** What is being done, for `/ready`. */
  setProgress(progress: string): void;
}

export function createGate(): Gate {
  let progress = 'starting';
  let current: HttpHandler = (request, response) => {
    const path = request.path.replace(/\/$/, '');
    if (path === '/health') return sendJson(response, 200, { status: 'alive' });
    if (path === '/ready') return sendJson(response, 503, { status: 'starting', progress });
    throw new ProblemError(503, `The server is starting: ${progress}.`, {
      key: 'Error.Starting',
      headers: [['Retry-After', '1']],
    });
  };
  return {
    handler: (request, response) => current(request, response),
    open(app) {
      current = app;
    },
    setProgress(text) {
      progress = text;
    },
  };
}
