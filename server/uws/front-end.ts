// Which HTTP front end a server has: decided once, for the server and for the doctor.

import { buildFor, type UwsBuild, type UwsPlatform } from './uws-builds.ts';

/** `auto`: uWebSockets where its build answers everything that is asked of it here, node:http elsewhere. */
export type TransportChoice = 'auto' | 'uws' | 'node';

export interface FrontEndWish {
  readonly choice: TransportChoice;
  readonly hasTls: boolean;
  /** A reverse proxy was named. */
  readonly hasProxy: boolean;
}

export type FrontEnd =
  /** node:http, as it was asked for, or is what TLS and proxies need. */
  | { readonly kind: 'node' }
  /** No build of uWebSockets fits. */
  | { readonly kind: 'none' }
  /** There is a build, which has to be asked for. */
  | { readonly kind: 'passed-over'; readonly build: UwsBuild }
  | { readonly kind: 'uws'; readonly build: UwsBuild };

/**
 * TLS is that of Node, which is kept up to date with it; behind a proxy `auto` is what answers all of HTTP/1. The platform
 * takes time to find out, and is asked for only where a build of uWebSockets may be used.
 */
export function chooseFrontEnd({ choice, hasTls, hasProxy }: FrontEndWish, platform: () => UwsPlatform): FrontEnd {
  if (choice === 'node' || hasTls || (choice === 'auto' && hasProxy)) return { kind: 'node' };
  const build = buildFor(platform());
  if (build === undefined) return { kind: 'none' };
  return { kind: choice === 'auto' && !build.isDefault ? 'passed-over' : 'uws', build };
}
