// Servers of both transports for the tests, closed when the test is over.

import { describe, type TestContext } from 'node:test';
import type { HttpHandler, HttpServer, HttpServerOptions } from '../../../../server/http/contract/http-server.ts';
import { createRouter, type Route } from '../../../../server/http/routing/router.ts';
import { createHttpServer, type TransportName } from '../../../../server/transport.ts';
import { buildFor, thisPlatform } from '../../../../server/uws/uws-builds.ts';

export interface TestServer {
  readonly port: number;
  readonly url: string;
  readonly server: HttpServer;
  /** What `onError` was told. */
  readonly errors: unknown[];
}

/** Whether a transport answers every head; the build of uWebSockets for older C libraries does not (docs/operations.md). */
export function answersEveryHead(transport: TransportName): boolean {
  return transport === 'node' || buildFor(thisPlatform())?.isDefault === true;
}

/**
 * Runs the same tests over each transport: one at a time, or `atOnce` of each transport side by side, where they wait more
 * than they work and share nothing.
 */
export function describeTransports(title: string, define: (transport: TransportName) => void, atOnce = 1): void {
  const defineAll = (): void => {
    for (const transport of ['uws', 'node'] as const)
      describe(`${title} (${transport})`, { concurrency: atOnce }, () => define(transport));
  };
  if (atOnce === 1) defineAll();
  else describe(title, { concurrency: true }, defineAll);
}

export async function startServer(
  context: TestContext,
  transport: TransportName,
  handler: HttpHandler,
  options: Partial<HttpServerOptions> = {},
): Promise<TestServer> {
  const errors: unknown[] = [];
  const chosen = createHttpServer(transport, {
    handler,
    serverName: 'Varve/test',
    allowedHosts: [],
    onError: (error) => errors.push(error),
    ...options,
  });
  if (chosen.transport !== transport) throw new Error(chosen.notice);
  const port = await chosen.server.listen('127.0.0.1', 0);
  context.after(() => chosen.server.close(0));
  return { port, url: `http://127.0.0.1:${port}`, server: chosen.server, errors };
}

export function startRoutes(
  context: TestContext,
  transport: TransportName,
  routes: readonly Route[],
  options: Partial<HttpServerOptions> = {},
): Promise<TestServer> {
  return startServer(context, transport, createRouter(routes), options);
}
