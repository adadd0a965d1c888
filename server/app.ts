// The whole of HTTP over one engine, as one handler.

import type { AuthParts } from './auth/auth-parts.ts';
import { createAuthorization } from './auth/authorize.ts';
import { needOf } from './auth/rules/route-rules.ts';
import { TokenIssuer } from './auth/token-issuer.ts';
import { toProblem } from './engine-status.ts';
import type { HttpHandler } from './http/contract/http-server.ts';
import type { Route } from './http/routing/router.ts';
import { createRouter } from './http/routing/router.ts';
import { type CountedResponse, RequestFigures } from './metrics/request-figures.ts';
import { ProblemError } from './problem.ts';
import { createRoutes } from './routes/all-routes.ts';
import { withCopyAge } from './routes/service/copy-age.ts';
import type { Service } from './routes/service/service.ts';

/** Answers every authorized request; errors of the engine come out as `ProblemError`s. */
export function createApp(service: Service, access: AuthParts, doorRoutes: readonly Route[]): HttpHandler {
  const requests = new RequestFigures();
  const issuer = new TokenIssuer(access);
  const all = [...createRoutes({ ...service, requests, issuer }), ...doorRoutes];
  const routes = all.map((route) => requests.counted(withCopyAge(heldRoute(route), service)));
  const route = createRouter(routes, { authorize: createAuthorization(routes, access), names: service.style.names });
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

/** Only reads take long; other routes are returned unchanged. */
export function heldRoute(route: Route): Route {
  if (needOf(route.method, route.pattern) !== 'read') return route;
  return {
    ...route,
    handle: ({ request, response, params, caller }) =>
      route.handle({ request, response: caller.holdOpen(request, response), params, caller }),
  };
}
