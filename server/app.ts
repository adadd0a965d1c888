// The whole of HTTP over one engine, as one handler.

import { toProblem } from './engine-status.ts';
import type { HttpHandler } from './http/http-server.ts';
import { createRouter } from './http/router.ts';
import { createRoutes } from './routes/all-routes.ts';
import type { Service } from './routes/service.ts';

/** Answers every request; errors of the engine come out as `ProblemError`s. */
export function createApp(service: Service): HttpHandler {
  const route = createRouter(createRoutes(service));
  return (request, response) => {
    try {
      return route(request, response)?.catch(rethrowAsProblem);
    } catch (error) {
      return rethrowAsProblem(error);
    }
  };
}

function rethrowAsProblem(error: unknown): never {
  throw toProblem(error);
}
