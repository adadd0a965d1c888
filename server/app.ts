// The whole of HTTP over one engine, as one handler.

import { type AccessParts, createAdmission } from './access/admission.ts';
import { toProblem } from './engine-status.ts';
import type { HttpHandler } from './http/http-server.ts';
import { createRouter } from './http/router.ts';
import { createRoutes } from './routes/all-routes.ts';
import type { Service } from './routes/service.ts';

/** Answers every request that is admitted; errors of the engine come out as `ProblemError`s. */
export function createApp(service: Service, access: AccessParts): HttpHandler {
  const routes = createRoutes(service);
  const route = createRouter(routes, createAdmission(routes, access));
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
