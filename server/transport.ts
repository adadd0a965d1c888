// Chooses the HTTP transport.

import type { HttpServer, HttpServerOptions } from './http/contract/http-server.ts';
import { createNodeServer } from './node/node-transport.ts';
import { loadUws } from './uws/load-uws.ts';
import { buildFor, thisPlatform } from './uws/uws-builds.ts';
import { createUwsServer } from './uws/uws-transport.ts';

export type TransportName = 'uws' | 'node';

/** `auto`: uWebSockets where its build answers everything that is asked of it here, node:http elsewhere. */
export type TransportChoice = TransportName | 'auto';

export interface ChosenServer {
  readonly server: HttpServer;
  /** The transport that is used. */
  readonly transport: TransportName;
  /** What the operator may want to know of the choice: why it is not uWebSockets, or what this build of it does not do. */
  readonly notice?: string;
}

/** A server on the transport asked for; on node:http where TLS is spoken, and where uWebSockets cannot be loaded. */
export function createHttpServer(choice: TransportChoice, options: HttpServerOptions, load = loadUws): ChosenServer {
  if (choice === 'node') return onNode(options);
  // The TLS of Node is kept up to date with Node.
  if (options.tls !== undefined)
    return onNode(options, choice === 'uws' ? 'TLS is spoken by node:https, --http uws is for plain HTTP.' : undefined);
  const build = choice === 'auto' ? buildFor(thisPlatform()) : undefined;
  if (build?.isDefault === false)
    return onNode(
      options,
      `The front end is node:http. With ${build.title}, the build for this C library, ${build.gaps}.`,
    );
  try {
    const { uws, build } = load();
    const notice = choice === 'uws' ? `With ${build.title} ${build.gaps}; --http node answers all of it.` : undefined;
    return { server: createUwsServer(uws, options), transport: 'uws', ...(notice === undefined ? {} : { notice }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return onNode(options, `The front end is node:http, as uWebSockets cannot be loaded: ${reason}.`);
  }
}

function onNode(options: HttpServerOptions, notice?: string): ChosenServer {
  return { server: createNodeServer(options), transport: 'node', ...(notice === undefined ? {} : { notice }) };
}
