// The long-running operation: live data as server-sent events, or over a WebSocket.

import type { HttpRequest, HttpResponse } from '../http/contract/http-server.ts';
import type { Route, RouteContext } from '../http/routing/router.ts';
import { LiveHub, type Subscription } from '../live/live-hub.ts';
import { parseLiveMarker } from '../live/marker.ts';
import { EventStreamOutlet, type Outlet, WebSocketOutlet } from '../live/outlet.ts';
import { datasetOf } from './request/path-names.ts';
import { queryOf } from './request/query-parameters.ts';
import { single } from './request/read-parameters.ts';
import type { Service } from './service/service.ts';

const EVENT_STREAM = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  // Proxies gather answers otherwise.
  ['X-Accel-Buffering', 'no'],
  // An event is to go out at once, and a compressor keeps it back.
  ['Content-Encoding', 'identity'],
] as const;

export function liveRoutes(service: Service): Route[] {
  const { engine, nowMs, style } = service;
  const hub = service.live ?? new LiveHub({ engine, nowMs, values: style.values });
  return [{ method: 'GET', pattern: '/api/datasets/{dataset}/live', handle: (call) => listen(service, hub, call) }];
}

function listen(service: Service, hub: LiveHub, call: RouteContext): void {
  const { request, response } = call;
  const subscription = toSubscription(service, call);
  hub.check(subscription, request.memory);
  const outlet = openOutlet(request, response);
  if (request.method === 'HEAD' || request.aborted) {
    outlet.end();
    return;
  }
  const subscriber = hub.subscribe(subscription, outlet, request.memory);
  request.onAbort(() => subscriber.gone());
}

function openOutlet(request: HttpRequest, response: HttpResponse): Outlet {
  if (request.wantsSocket) return new WebSocketOutlet(response.openSocket());
  return new EventStreamOutlet(response.stream(200, EVENT_STREAM));
}

function toSubscription(service: Service, call: RouteContext): Subscription {
  const query = queryOf(service, call);
  const names = query.get('tagname');
  const since = single(query, 'since') ?? call.request.header('last-event-id');
  return {
    dataset: datasetOf(call),
    names: names === undefined ? undefined : [...new Set(names)],
    since: since === undefined || since === '' ? undefined : (parseLiveMarker(since) ?? 'unknown'),
  };
}
