// Keeps web pages of other sites from changing data: a browser on the plant's network can be made to send requests to
// this server by any page it shows. Requests that change something, or ask for a WebSocket, must carry a Host that is
// this server's, and, when they carry an Origin, the Origin of that very Host or a configured one.
//
// Why the Host: with DNS rebinding a page's own name is made to point here, and Host and Origin then agree. Names that
// an outsider can own are therefore refused unless they were configured. IP addresses and `localhost` cannot be owned
// that way: when the server is open to the network (bound to a wildcard) any IP address is taken, and any port (it may
// be forwarded); otherwise only the loopback names and the host listened on, with the port listened on.

import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { ProblemError } from './problem.ts';

export interface CrossSiteOptions {
  /** As it was given to `listen`. */
  readonly host: string;
  readonly port: number;
  /** `name` (any port) or `name:port`. */
  readonly allowedHosts: readonly string[];
  /** As browsers write them, in lower case. */
  readonly allowedOrigins?: readonly string[];
  /** `https` when this server itself speaks TLS; `http` when absent. */
  readonly scheme?: 'http' | 'https';
}

/** The fault (403) of a request that changes something, or undefined when it may pass. */
export type CrossSiteCheck = (host: string, origin: string | undefined) => ProblemError | undefined;

interface HostRules {
  readonly isOpen: boolean;
  readonly port: string;
  /** What a browser leaves out of a Host. */
  readonly defaultPort: '80' | '443';
  /** Taken with the port listened on, or with any when open. */
  readonly ownNames: ReadonlySet<string>;
  /** Taken as they stand: `name`, or `name:port`. */
  readonly allowed: ReadonlySet<string>;
}

/** Behind a proxy that ends TLS the scheme of the page differs, the host does not. */
const ALL_SCHEMES = ['http', 'https'];
const TLS_SCHEMES = ['https'];

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARD_HOSTS = new Set(['0.0.0.0', '::', '[::]', '']);
/** Hosts found good are remembered; there are only ever a few, and the bound keeps a prankster from adding more. */
const REMEMBERED_HOSTS = 64;

export function createCrossSiteCheck(options: CrossSiteOptions): CrossSiteCheck {
  const rules = hostRules(options);
  const origins = new Set(options.allowedOrigins);
  const schemes = options.scheme === 'https' ? TLS_SCHEMES : ALL_SCHEMES;
  const remembered = new Set<string>();
  const isOurs = (host: string): boolean => {
    if (remembered.has(host)) return true;
    const ours = isOwnHost(host.toLowerCase(), rules);
    if (ours && remembered.size < REMEMBERED_HOSTS) remembered.add(host);
    return ours;
  };
  return (host, origin) => {
    if (!isOurs(host)) {
      const detail = `The Host ${JSON.stringify(host)} is not a name of this server; --allow-host adds names.`;
      return new ProblemError(403, detail);
    }
    if (origin === undefined || isSameOrigin(origin, host, schemes) || origins.has(origin)) return undefined;
    const detail = `Pages of the origin ${JSON.stringify(origin)} may not change anything here, nor open a WebSocket.`;
    return new ProblemError(403, detail);
  };
}

function hostRules(options: CrossSiteOptions): HostRules {
  const isOpen = WILDCARD_HOSTS.has(options.host);
  const ownNames = new Set(LOOPBACK_NAMES);
  ownNames.add(bracketed((isOpen ? hostname() : options.host).toLowerCase()));
  return {
    isOpen,
    port: String(options.port),
    defaultPort: options.scheme === 'https' ? '443' : '80',
    ownNames,
    allowed: new Set(options.allowedHosts.map((host) => bracketed(host.toLowerCase()))),
  };
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function isOwnHost(host: string, rules: HostRules): boolean {
  const { name, port } = splitHost(host);
  if (rules.allowed.has(host) || rules.allowed.has(name)) return true;
  if (rules.isOpen) return rules.ownNames.has(name) || isIpLiteral(name);
  return rules.ownNames.has(name) && (port === '' ? rules.defaultPort : port) === rules.port;
}

function splitHost(host: string): { name: string; port: string } {
  const match = /^(\[[^\]]*\]|[^:]*)(?::([0-9]*))?$/.exec(host);
  if (match === null) return { name: '', port: '' };
  return { name: match[1] ?? '', port: match[2] ?? '' };
}

function isIpLiteral(name: string): boolean {
  return isIP(name) === 4 || (name.startsWith('[') && isIP(name.slice(1, -1)) === 6);
}

function isSameOrigin(origin: string, host: string, schemes: readonly string[]): boolean {
  const lower = origin.toLowerCase();
  const lowerHost = host.toLowerCase();
  return schemes.some((scheme) => lower === `${scheme}://${lowerHost}`);
}
