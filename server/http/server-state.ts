// What one HTTP server keeps while it runs, the same for both transports: the exchanges' host, and the wait for the
// running ones at the stop.

import { ProblemError } from '../problem.ts';
import { BodyBudget } from './body/body-budget.ts';
import { Unpacking } from './body/unpacking.ts';
import { rememberingLast } from './contract/header-list.ts';
import type { HeaderList, HttpHandler, HttpRequest, HttpServerOptions, ProblemForm } from './contract/http-server.ts';
import type { ExchangeHost } from './exchange.ts';
import { type ClientAddress, clientAddressBehind } from './forwarded.ts';
import { type CorsHeaders, createCors } from './guard/cors.ts';
import { type CrossSiteCheck, createCrossSiteCheck } from './guard/cross-site.ts';
import { withSecurityHeaders } from './guard/security-headers.ts';
import { MemoryBudget } from './memory/memory-budget.ts';

const DEFAULT_SLOW_READER_MS = 30_000;
/** Three quarters of it, which one client may have, are 1 GiB. */
const DEFAULT_BODIES_IN_FLIGHT_BYTES = 1_431_655_764;
const DEFAULT_ANSWERS_IN_FLIGHT_BYTES = 2 ** 30;

const NOT_LISTENING: CrossSiteCheck = {
  hostKind: () => 'foreign',
  originFault: () => new ProblemError(503, 'The server is not listening yet.'),
};

export class ServerState implements ExchangeHost {
  readonly handler: HttpHandler;
  /** The headers of an answer with those that every one has. */
  readonly commonHeaders: (headers: HeaderList) => HeaderList;
  readonly budget: BodyBudget;
  readonly answerBudget: MemoryBudget;
  readonly unpacking = new Unpacking();
  readonly slowReaderMs: number;
  readonly onError: (error: unknown, context: string) => void;
  readonly corsHeaders: CorsHeaders;
  readonly problemForms: readonly ProblemForm[];
  readonly clientAddress: ClientAddress | undefined;
  readonly onForeign: (request: HttpRequest, reason: string) => void;
  readonly onSentAhead: () => void;
  readonly allowHost: (request: HttpRequest, kind: 'local' | 'foreign') => boolean;
  crossSite: CrossSiteCheck = NOT_LISTENING;
  isStopping = false;
  #runningCount = 0;
  #onIdle: (() => void) | undefined;
  readonly #options: HttpServerOptions;

  constructor(options: HttpServerOptions) {
    this.handler = options.handler;
    const server = ['Server', options.serverName] as const;
    this.commonHeaders = rememberingLast((headers) => [...withSecurityHeaders(headers), server]);
    this.budget = new BodyBudget(options.bodiesInFlightBytes ?? DEFAULT_BODIES_IN_FLIGHT_BYTES);
    this.answerBudget = new MemoryBudget(options.answersInFlightBytes ?? DEFAULT_ANSWERS_IN_FLIGHT_BYTES);
    this.slowReaderMs = options.slowReaderMs ?? DEFAULT_SLOW_READER_MS;
    this.onError = options.onError;
    this.corsHeaders = createCors(options.allowedOrigins ?? []);
    this.problemForms = options.problemForms ?? [];
    this.clientAddress = clientAddressBehind(options.proxies ?? []);
    this.onForeign = options.onForeign ?? (() => {});
    this.onSentAhead = options.onSentAhead ?? (() => {});
    this.allowHost = options.allowHost ?? ((_request, kind) => kind === 'local');
    this.#options = options;
  }

  /** The address is known from now on. */
  listening(host: string, port: number): void {
    const { allowedHosts, allowedOrigins = [], tls } = this.#options;
    const scheme = tls === undefined ? 'http' : 'https';
    this.crossSite = createCrossSiteCheck({ host, port, allowedHosts, allowedOrigins, scheme });
  }

  exchangeBegan(): void {
    this.#runningCount++;
  }

  exchangeEnded(): void {
    this.#runningCount--;
    if (this.#runningCount === 0) this.#onIdle?.();
  }

  /** Resolves when no exchange runs any more, at the latest after `graceMs`. */
  idle(graceMs: number): Promise<void> {
    if (this.#runningCount === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
