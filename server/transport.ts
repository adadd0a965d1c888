// Chooses the HTTP transport.

import type { HttpServer, HttpServerOptions } from './http/contract/http-server.ts';
import { createNodeServer } from './node/node-transport.ts';
import { createUwsServer } from './uws/uws-transport.ts';

export type TransportName = 'uws' | 'node';

export interface ChosenServer {
  readonly server: HttpServer;
  /** The transport that is used. */
  readonly transport: TransportName;
  /** Why it is not the one asked for; absent when it is. */
  readonly fallbackReason?: string;
}

/** A server on the transport asked for; on node:http when `createUws` cannot load its binary on this platform. */
export function createHttpServer(
  name: TransportName,
  options: HttpServerOptions,
  createUws = createUwsServer,
): ChosenServer {
  if (name === 'node') return { server: createNodeServer(options), transport: 'node' };
  try {
    return { server: createUws(options), transport: 'uws' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const fallbackReason = `uWebSockets.js cannot be loaded, node:http is used instead: ${reason}`;
    return { server: createNodeServer(options), transport: 'node', fallbackReason };
  }
}
