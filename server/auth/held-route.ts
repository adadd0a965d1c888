// Routes whose answers may take long, bound to the rights of the caller.

import type { Route } from '../http/routing/router.ts';
import { needOf } from './rules/route-rules.ts';

/** Only reads take long; other routes are returned unchanged. */
export function heldRoute(route: Route): Route {
  if (needOf(route.method, route.pattern) !== 'read') return route;
  return {
    ...route,
    handle: ({ request, response, params, caller }) =>
      route.handle({ request, response: caller.holdOpen(request, response), params, caller }),
  };
}
