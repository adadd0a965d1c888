// Counts requests by route and status, and how long they waited for their answer. On the way of a request there are a
// few additions to arrays; text is made of them only when somebody asks for the metrics.

import type { HeaderList, HttpResponse, HttpSocket, HttpStream } from '../http/contract/http-server.ts';
import type { Route } from '../http/routing/router.ts';

/** Upper bounds of the histogram of latencies; seconds. */
export const LATENCY_BOUNDS_S: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Pattern of requests that no route was found for, or that were not authorized. */
const NO_ROUTE = '';

export class RouteFigures {
  readonly method: string;
  readonly pattern: string;
  /** By status. */
  readonly counts = new Map<number, number>();
  /** Answers up to each bound, not summed up; the last entry has those above all. */
  readonly buckets: Float64Array = new Float64Array(LATENCY_BOUNDS_S.length + 1);
  sumSeconds = 0;

  constructor(method: string, pattern: string) {
    this.method = method;
    this.pattern = pattern;
  }

  count(status: number, seconds: number): void {
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
    this.sumSeconds += seconds;
    let bucket = 0;
    while (bucket < LATENCY_BOUNDS_S.length && seconds > (LATENCY_BOUNDS_S[bucket] as number)) bucket++;
    this.buckets[bucket] = (this.buckets[bucket] as number) + 1;
  }
}

export class RequestFigures {
  readonly #routes: RouteFigures[] = [];
  readonly #unrouted = new RouteFigures('', NO_ROUTE);

  /** All that were asked for once. */
  get routes(): readonly RouteFigures[] {
    return [...this.#routes, this.#unrouted].filter(({ counts }) => counts.size > 0);
  }

  /** The route, counted when it is called with a response of `begin`. */
  counted(route: Route): Route {
    const figures = new RouteFigures(route.method, route.pattern.replace('...}', '}'));
    this.#routes.push(figures);
    return {
      ...route,
      handle: (call) => {
        if (call.response instanceof CountedResponse) call.response.figures = figures;
        return route.handle(call);
      },
    };
  }

  begin(response: HttpResponse): CountedResponse {
    return new CountedResponse(response, this.#unrouted);
  }
}

/** Counts the answer when it begins. */
export class CountedResponse implements HttpResponse {
  figures: RouteFigures;
  readonly #response: HttpResponse;
  readonly #startMs = performance.now();
  #isCounted = false;

  constructor(response: HttpResponse, figures: RouteFigures) {
    this.#response = response;
    this.figures = figures;
  }

  send(status: number, headers: HeaderList, body?: Uint8Array | string): void {
    this.count(status);
    this.#response.send(status, headers, body);
  }

  lend(status: number, headers: HeaderList, body: Uint8Array): boolean {
    this.count(status);
    return this.#response.lend(status, headers, body);
  }

  stream(status: number, headers: HeaderList, heldBytes?: number): HttpStream {
    const stream = this.#response.stream(status, headers, heldBytes);
    this.count(status);
    return stream;
  }

  openSocket(): HttpSocket {
    const socket = this.#response.openSocket();
    this.count(101);
    return socket;
  }

  /** Also for an answer that somebody else gives: the problem of an error. */
  count(status: number): void {
    if (this.#isCounted) return;
    this.#isCounted = true;
    this.figures.count(status, (performance.now() - this.#startMs) / 1000);
  }
}
