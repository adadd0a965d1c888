// Keeps web pages of other sites from changing data: a browser on the plant's network can be made to send requests to
// this server by any page it shows. Requests that change something must carry a Host that is this server's, and, when
// they carry an Origin, the Origin of that very Host.
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
}

/** The fault (403) of a request that changes something, or undefined when it may pass. */
export type CrossSiteCheck = (host: string, origin: string | undefined) => ProblemError | undefined;

interface HostRules {
  readonly isOpen: boolean;
  readonly port: string;
  /** Taken with the port listened on, or with any when open. */
  readonly ownNames: ReadonlySet<string>;
  /** Taken as they stand: `name`, or `name:port`. */
  readonly allowed: ReadonlySet<string>;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARD_HOSTS = new Set(['0.0.0.0', '::', '[::]', '']);
/** Hosts found good are remembered; there are only ever a few, and the bound keeps a prankster from adding more. */
const REMEMBERED_HOSTS = 64;

export function createCrossSiteCheck(options: CrossSiteOptions): CrossSiteCheck {
  const rules = hostRules(options);
  const remembered = new Set<string>();
  const isOurs = (host: string): boolean => {
    if (remembered.has(host)) return true;
    const ours = isOwnHost(host.toLowerCase(), rules);
    if (ours && remembered.size < REMEMBERED_HOSTS) remembered.add(host);
    return ours;
  };
  return (host, origin) => {
    if (!isOurs(host)) return new ProblemError(403, `The Host ${JSON.stringify(host)} is not a name of this server.`);
    if (origin === undefined || isSameOrigin(origin, host)) return undefined;
    return new ProblemError(403, `Requests from the origin ${JSON.stringify(origin)} may not change anything here.`);
  };
}

function hostRules(options: CrossSiteOptions): HostRules {
  const isOpen = WILDCARD_HOSTS.has(options.host);
  const ownNames = new Set(LOOPBACK_NAMES);
  ownNames.add(bracketed((isOpen ? hostname() : options.host).toLowerCase()));
  return {
    isOpen,
    port: String(options.port),
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
  return rules.ownNames.has(name) && (port === '' ? '80' : port) === rules.port;
}

function splitHost(host: string): { name: string; port: string } {
  const match = /^(\[[^\]]*\]|[^:]*)(?::([0-9]*))?$/.exec(host);
  if (match === null) return { name: '', port: '' };
  return { name: match[1] ?? '', port: match[2] ?? '' };
}

function isIpLiteral(name: string): boolean {
  return isIP(name) === 4 || (name.startsWith('[') && isIP(name.slice(1, -1)) === 6);
}

/** Behind a proxy that ends TLS the scheme differs, the host does not. */
function isSameOrigin(origin: string, host: string): boolean {
  const lower = origin.toLowerCase();
  const lowerHost = host.toLowerCase();
  return lower === `http://${lowerHost}` || lower === `https://${lowerHost}`;
}
