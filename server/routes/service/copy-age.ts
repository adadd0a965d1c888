// Answers from copies say how old the copy is.

import type { HeaderList, HttpResponse, HttpSocket, HttpStream } from '../../http/contract/http-server.ts';
import type { Route } from '../../http/routing/router.ts';
import type { Service } from './service.ts';

/** Seconds: all that the edge had accepted that long ago is in the answer. */
const HEADER = 'Historian-Behind';

/** The route as it is where the engine has no copies. */
export function withCopyAge(route: Route, { copiedUntilMs, nowMs }: Service): Route {
  if (copiedUntilMs === undefined || !route.pattern.startsWith('/api/datasets/{dataset}')) return route;
  return {
    ...route,
    handle: (call) => {
      const untilMs = copiedUntilMs(call.params.get('dataset') ?? '');
      if (untilMs === undefined) return route.handle(call);
      const seconds = (Math.max(0, nowMs() - untilMs) / 1000).toFixed(1);
      return route.handle({ ...call, response: new AgedResponse(call.response, seconds) });
    },
  };
}

class AgedResponse implements HttpResponse {
  readonly #response: HttpResponse;
  readonly #header: readonly [string, string];

  constructor(response: HttpResponse, seconds: string) {
    this.#response = response;
    this.#header = [HEADER, seconds];
  }

  send(status: number, headers: HeaderList, body?: Uint8Array | string): void {
    this.#response.send(status, [...headers, this.#header], body);
  }

  lend(status: number, headers: HeaderList, body: Uint8Array): boolean {
    return this.#response.lend(status, [...headers, this.#header], body);
  }

  stream(status: number, headers: HeaderList, heldBytes?: number): HttpStream {
    return this.#response.stream(status, [...headers, this.#header], heldBytes);
  }

  openSocket(): HttpSocket {
    return this.#response.openSocket();
  }
}
