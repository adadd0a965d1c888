// Chooses the HTTP transport.

import type { HttpServer, HttpServerOptions } from './http/contract/http-server.ts';
import { createNodeServer } from './node/node-transport.ts';
import { chooseFrontEnd, type TransportChoice } from './uws/front-end.ts';
import { loadUws } from './uws/load-uws.ts';
import { thisPlatform } from './uws/uws-builds.ts';
import { createUwsServer } from './uws/uws-transport.ts';

export type TransportName = 'uws' | 'node';

export interface ChosenServer {
  readonly server: HttpServer;
  /** The transport that is used. */
  readonly transport: TransportName;
  /** What the operator may want to know of the choice: why it is not uWebSockets, or what this build of it does not do. */
  readonly notice?: string;
}

/** A server on the front end that `choice` and the options come to; on node:http where uWebSockets cannot be loaded. */
export function createHttpServer(choice: TransportChoice, options: HttpServerOptions, load = loadUws): ChosenServer {
  const hasTls = options.tls !== undefined;
  const hasProxy = (options.proxies ?? []).length > 0;
  const frontEnd = chooseFrontEnd({ choice, hasTls, hasProxy }, thisPlatform);
  if (frontEnd.kind === 'node') {
    const isOtherThanAsked = choice === 'uws' && hasTls;
    return onNode(options, isOtherThanAsked ? 'TLS is spoken by node:https, --http uws is for plain HTTP.' : undefined);
  }
  if (frontEnd.kind === 'passed-over') {
    const { title, gaps } = frontEnd.build;
    return onNode(options, `The front end is node:http. With ${title}, the build for this C library, ${gaps}.`);
  }
  try {
    const { uws, build } = load(thisPlatform());
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
