// What each route needs: the policy in one table. A test holds it against the routes and docs/security.md, both ways.

import type { Role } from './role.ts';

export type RouteNeed =
  /** Open to everybody, whatever token or Host is sent: for health checks of machines, which have no token. */
  | 'probe'
  /** Open to everybody, since a page cannot send a token with its first request. Shows no data without a token. */
  | 'page'
  /** For clients with an id and a secret, which the route itself checks. */
  | 'client'
  /** A role, for the dataset in the path. */
  | Role;

/**
 * By method and pattern. Without `{dataset}` in the path the role must be held for some dataset; the route itself asks
 * for the one that it is about. `POST …/tags` with names, which deletes, asks for `admin` by itself.
 */
export const ROUTE_NEEDS: Readonly<Record<string, RouteNeed>> = {
  'GET /api/datasets': 'read',
  // Never changes a dataset that is there; and a write to a missing one makes it as well.
  'POST /api/datasets': 'write',
  'GET /api/datasets/{dataset}': 'read',
  'POST /api/datasets/{dataset}': 'admin',
  'DELETE /api/datasets/{dataset}': 'admin',
  'GET /api/datasets/{dataset}/exists': 'read',
  'GET /api/datasets/{dataset}/tags': 'read',
  'POST /api/datasets/{dataset}/tags': 'write',
  'DELETE /api/datasets/{dataset}/tags': 'admin',
  'GET /api/datasets/{dataset}/tags/{tagname}': 'read',
  'POST /api/datasets/{dataset}/tags/{tagname}': 'write',
  'DELETE /api/datasets/{dataset}/tags/{tagname}': 'admin',
  'POST /api/datasets/{dataset}/tags/{tagname}/rename': 'admin',
  'GET /api/datasets/{dataset}/data': 'read',
  'POST /api/datasets/{dataset}/data': 'write',
  'DELETE /api/datasets/{dataset}/data': 'admin',
  'GET /api/datasets/{dataset}/data/{tagname}': 'read',
  'POST /api/datasets/{dataset}/data/{tagname}': 'write',
  'POST /api/datasets/{dataset}/read': 'read',
  'GET /api/datasets/{dataset}/statistics': 'read',
  'POST /api/datasets/{dataset}/statistics': 'read',
  'GET /api/datasets/{dataset}/corrections': 'read',
  // Like the removal of points: who writes new points may not change old ones.
  'POST /api/datasets/{dataset}/corrections': 'admin',
  'GET /api/datasets/{dataset}/corrections/{correction}': 'read',
  'POST /api/datasets/{dataset}/corrections/{correction}/undo': 'admin',
  'GET /api/datasets/{dataset}/live': 'read',
  'GET /api/datasets/{dataset}/changes': 'read',
  'POST /api/datasets/{dataset}/changes': 'read',
  'GET /api/datasets/{dataset}/status': 'read',
  'POST /api/datasets/{dataset}/status': 'write',
  'GET /api/datasets/{dataset}/annotations': 'read',
  'POST /api/datasets/{dataset}/annotations': 'write',
  'GET /api/datasets/{dataset}/annotations/{annotation}': 'read',
  'PUT /api/datasets/{dataset}/annotations/{annotation}': 'write',
  'DELETE /api/datasets/{dataset}/annotations/{annotation}': 'write',
  // A view asks for a token that may read all of its datasets; the routes check that, and who owns the view.
  'GET /api/views': 'read',
  'POST /api/views': 'write',
  'GET /api/views/{view}': 'read',
  'PUT /api/views/{view}': 'write',
  'DELETE /api/views/{view}': 'write',
  // These answers tell only of datasets that the token may read.
  'GET /metrics': 'read',
  'GET /api/sources': 'read',
  // The server connects to an address that the body names.
  'POST /api/sources/opcua': 'admin',
  'POST /api/sources/opcua/browse': 'admin',
  'DELETE /api/sources/opcua': 'admin',
  'GET /api/copies': 'read',
  // The tools that are called ask for what they need.
  'POST /mcp': 'read',
  // The door i3X shows only the datasets of the token.
  'GET /i3x/v1/info': 'page',
  'GET /i3x/v1/namespaces': 'read',
  'GET /i3x/v1/objecttypes': 'read',
  'POST /i3x/v1/objecttypes/query': 'read',
  'GET /i3x/v1/relationshiptypes': 'read',
  'POST /i3x/v1/relationshiptypes/query': 'read',
  'GET /i3x/v1/objects': 'read',
  'POST /i3x/v1/objects/list': 'read',
  'POST /i3x/v1/objects/related': 'read',
  'POST /i3x/v1/objects/value': 'read',
  'POST /i3x/v1/objects/history': 'read',
  'PUT /i3x/v1/objects/value': 'write',
  // Corrects points of the past: the route asks for `admin` besides.
  'PUT /i3x/v1/objects/history': 'write',
  'POST /i3x/v1/subscriptions': 'read',
  'POST /i3x/v1/subscriptions/list': 'read',
  'POST /i3x/v1/subscriptions/register': 'read',
  'POST /i3x/v1/subscriptions/unregister': 'read',
  'POST /i3x/v1/subscriptions/sync': 'read',
  'POST /i3x/v1/subscriptions/stream': 'read',
  'POST /i3x/v1/subscriptions/delete': 'read',
  'GET /i3x/namespaces': 'read',
  'GET /i3x/objects': 'read',
  'POST /i3x/objects/list': 'read',
  'POST /i3x/objects/value': 'read',
  'POST /i3x/objects/history': 'read',
  // Doors: the routes leave out the datasets that the token may not read.
  'GET /prometheus/api/v1/query': 'read',
  'GET /prometheus/api/v1/query_range': 'read',
  'GET /prometheus/api/v1/labels': 'read',
  'GET /prometheus/api/v1/label/{label}/values': 'read',
  'GET /prometheus/api/v1/series': 'read',
  'GET /prometheus/api/v1/metadata': 'read',
  'GET /prometheus/api/v1/status/buildinfo': 'read',
  'GET /prometheus/api/v1/rules': 'read',
  'GET /prometheus/api/v1/query_exemplars': 'read',
  'POST /prometheus/api/v1/query': 'read',
  'POST /prometheus/api/v1/query_range': 'read',
  'POST /prometheus/api/v1/labels': 'read',
  'POST /prometheus/api/v1/label/{label}/values': 'read',
  'POST /prometheus/api/v1/series': 'read',
  'POST /prometheus/api/v1/metadata': 'read',
  'POST /prometheus/api/v1/status/buildinfo': 'read',
  'POST /prometheus/api/v1/rules': 'read',
  'POST /prometheus/api/v1/query_exemplars': 'read',
  'GET /grafana': 'read',
  'POST /grafana/metrics': 'read',
  'POST /grafana/metric-payload-options': 'read',
  'POST /grafana/query': 'read',
  'POST /grafana/variable': 'read',
  'POST /grafana/tag-keys': 'read',
  'POST /grafana/tag-values': 'read',
  'GET /odata': 'read',
  'GET /odata/{resource}': 'read',
  'POST /auth/token': 'client',
  'GET /auth/.well-known/openid-configuration': 'page',
  'GET /auth/caller': 'read',
  'GET /': 'page',
  'GET /explorer/{file}': 'page',
  'GET /api/help': 'page',
  'GET /api/help/{file}': 'page',
  'GET /api/v1.json': 'page',
  'GET /docs': 'page',
  'GET /docs/{page}': 'page',
  'GET /docs/images/{file}': 'page',
  'GET /health': 'probe',
  'GET /ready': 'probe',
  // Paths of line protocol; the dataset is in the query.
  'GET /ping': 'probe',
  'POST /write': 'write',
  'POST /api/v2/write': 'write',
  // Makes nothing: a write does that. Names the datasets that the token may read.
  'GET /query': 'read',
  'POST /query': 'read',
};

/** Throws for a route that is not in the table: a route without a rule must not be served. */
export function needOf(method: string, pattern: string): RouteNeed {
  const key = `${method} ${pattern.replace('...}', '}')}`;
  const need = ROUTE_NEEDS[key];
  if (need === undefined) throw new Error(`BUG: ${key} has no entry in server/auth/rules/route-rules.ts`);
  return need;
}
