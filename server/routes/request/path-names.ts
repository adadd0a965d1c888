// The names in the path of a request.

import type { RouteContext } from '../../http/routing/router.ts';

export function datasetOf(call: RouteContext): string {
  return nameOf(call, 'dataset');
}

export function tagOf(call: RouteContext): string {
  return nameOf(call, 'tagname');
}

export function nameOf(call: RouteContext, parameter: string): string {
  const name = call.params.get(parameter);
  if (name === undefined) throw new Error(`BUG: the path of this route has no {${parameter}}`);
  return name;
}
