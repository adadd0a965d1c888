// Routes whose answers may go on for long, bound to the rights of who asks.

import type { Route } from '../http/routing/router.ts';
import { needOf } from './rules/route-rules.ts';

/** Only reads go on for long; everything else is as it was. */
export function heldRoute(route: Route): Route {
  if (needOf(route.method, route.pattern) !== 'read') return route;
  return {
    ...route,
    handle: ({ request, response, params, caller }) =>
      route.handle({ request, response: caller.holdOpen(request, response), params, caller }),
  };
}
