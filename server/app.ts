// The whole of HTTP over one engine, as one handler.

import type { AccessParts } from './access/access-parts.ts';
import { createAdmission } from './access/admission.ts';
import { heldRoute } from './access/held-route.ts';
import { TokenIssuer } from './access/token-issuer.ts';
import { toProblem } from './engine-status.ts';
import type { HttpHandler } from './http/http-server.ts';
import { ProblemError } from './http/problem.ts';
import { createRouter } from './http/router.ts';
import { type CountedResponse, RequestFigures } from './metrics/request-figures.ts';
import { createRoutes } from './routes/all-routes.ts';
import type { Service } from './routes/service.ts';

/** Answers every request that is admitted; errors of the engine come out as `ProblemError`s. */
export function createApp(service: Service, access: AccessParts): HttpHandler {
  const requests = new RequestFigures();
  const issuer = new TokenIssuer(access);
  const routes = createRoutes({ ...service, requests, issuer }).map((route) => requests.counted(heldRoute(route)));
  const route = createRouter(routes, { admit: createAdmission(routes, access), names: service.style.names });
  return (request, response) => {
    const counted = requests.begin(response);
    try {
      return route(request, counted)?.catch((error: unknown) => rethrowAsProblem(error, counted));
    } catch (error) {
      return rethrowAsProblem(error, counted);
    }
  };
}

function rethrowAsProblem(error: unknown, counted: CountedResponse): never {
  const problem = toProblem(error);
  counted.count(problem instanceof ProblemError ? problem.status : 500);
  throw problem;
}
