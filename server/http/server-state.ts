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
import { MemoryReturn } from './memory/memory-return.ts';

const DEFAULT_SLOW_READER_MS = 30_000;
/** While the server stops, who takes nothing of an answer for so long is cut off, and reads are refused that have no answer yet. */
const STOPPING_READER_MS = 1000;
/** Then the answers to all other reads are cut off, too. */
const STOPPING_READS_MS = 2000;
const SWEEP_MS = 250;
/** Three quarters of it, which one client may have, are 1 GiB. */
const DEFAULT_BODIES_IN_FLIGHT_BYTES = 1_431_655_764;
const DEFAULT_ANSWERS_IN_FLIGHT_BYTES = 2 ** 30;

const NOT_LISTENING: CrossSiteCheck = {
  hostKind: () => 'foreign',
  originFault: () => new ProblemError(503, 'The server is not listening yet.'),
};

/** An exchange that the stop may have to end. */
export interface RunningExchange {
  /** Ends a read that has no answer yet, or of whose answer the client has taken nothing for so long; in any case where it is 0. */
  hurry(stalledMs: number): void;
}

export class ServerState implements ExchangeHost {
  readonly handler: HttpHandler;
  /** The headers of an answer with those that every one has. */
  readonly commonHeaders: (headers: HeaderList) => HeaderList;
  readonly budget: BodyBudget;
  readonly answerBudget: MemoryBudget;
  readonly unpacking = new Unpacking();
  slowReaderMs: number;
  readonly onError: (error: unknown, context: string) => void;
  readonly corsHeaders: CorsHeaders;
  readonly problemForms: readonly ProblemForm[];
  readonly clientAddress: ClientAddress | undefined;
  readonly onForeign: (request: HttpRequest, reason: string) => void;
  readonly onSentAhead: () => void;
  readonly allowHost: (request: HttpRequest, kind: 'local' | 'foreign') => boolean;
  crossSite: CrossSiteCheck = NOT_LISTENING;
  isStopping = false;
  readonly #running = new Set<RunningExchange>();
  #onIdle: (() => void) | undefined;
  readonly #options: HttpServerOptions;

  constructor(options: HttpServerOptions) {
    this.handler = options.handler;
    const server = ['Server', options.serverName] as const;
    this.commonHeaders = rememberingLast((headers) => [...withSecurityHeaders(headers), server]);
    this.budget = new BodyBudget(options.bodiesInFlightBytes ?? DEFAULT_BODIES_IN_FLIGHT_BYTES);
    const memory = new MemoryReturn();
    const answersBytes = options.answersInFlightBytes ?? DEFAULT_ANSWERS_IN_FLIGHT_BYTES;
    this.answerBudget = new MemoryBudget(answersBytes, (heldBytes) => memory.note(heldBytes));
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

  exchangeBegan(exchange: RunningExchange): void {
    this.#running.add(exchange);
  }

  exchangeEnded(exchange: RunningExchange): void {
    this.#running.delete(exchange);
    if (this.#running.size === 0) this.#onIdle?.();
  }

  /** New requests are refused from now on. */
  stop(): void {
    this.isStopping = true;
    this.slowReaderMs = Math.min(this.slowReaderMs, STOPPING_READER_MS);
  }

  /**
   * Resolves when no exchange runs any more, at the latest after `graceMs`. Writes have that time; reads could hold up the stop
   * as long as their clients like.
   */
  idle(graceMs: number): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const startMs = performance.now();
      const sweep = setInterval(() => this.#sweep(startMs), SWEEP_MS);
      const timer = setTimeout(() => this.#onIdle?.(), graceMs);
      this.#onIdle = () => {
        clearInterval(sweep);
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #sweep(startMs: number): void {
    const tookMs = performance.now() - startMs;
    if (tookMs < this.slowReaderMs) return;
    const stalledMs = tookMs < STOPPING_READS_MS ? this.slowReaderMs : 0;
    for (const exchange of [...this.#running]) exchange.hurry(stalledMs);
  }
}
