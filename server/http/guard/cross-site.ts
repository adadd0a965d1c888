// Keeps web pages of other sites from changing data: a browser on the plant's network can be made to send requests to
// this server by any page it shows. Requests that change something, or ask for a WebSocket, must carry a Host that is
// this server's, and, when they carry an Origin, the Origin of that very Host or a configured one.
//
// Why the Host: with DNS rebinding a page's own name is made to point here, and Host and Origin then agree. Names that
// an outsider can own are therefore refused unless they were configured. IP addresses and `localhost` cannot be owned
// that way: when the server is open to the network (bound to a wildcard) any IP address is taken, and any port (it may
// be forwarded); otherwise only the loopback names and the host listened on, with the port listened on. Nor can names
// that no public name server answers for: once other hosts reach the server, those are taken as local names.

import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { ProblemError } from '../../problem.ts';
import { isLoopback } from '../../process/loopback.ts';

export interface CrossSiteOptions {
  /** Host that was given to `listen`. */
  readonly host: string;
  readonly port: number;
  /** `name` (any port) or `name:port`. */
  readonly allowedHosts: readonly string[];
  /** Origins as browsers write them, in lower case. */
  readonly allowedOrigins?: readonly string[];
  /** `https` when this server itself speaks TLS; `http` when absent. */
  readonly scheme?: 'http' | 'https';
}

/**
 * What a Host is: one of this server's; a local name that may well be; or one that an outsider could have pointed here.
 */
export type HostKind = 'own' | 'local' | 'foreign';

export interface CrossSiteCheck {
  hostKind(host: string): HostKind;
  /** The fault (403) of a request that changes something; undefined when its Origin is that of the Host, or configured. */
  originFault(origin: string | undefined, host: string): ProblemError | undefined;
}

interface HostRules {
  /** Bound to all addresses. */
  readonly isOpen: boolean;
  /** Other machines reach it. */
  readonly isReachable: boolean;
  readonly port: string;
  /** What a browser leaves out of a Host. */
  readonly defaultPort: '80' | '443';
  /** Taken with the port listened on, or with any when open. */
  readonly ownNames: ReadonlySet<string>;
  /** Taken as they stand: `name`, or `name:port`. */
  readonly allowed: ReadonlySet<string>;
}

/** A proxy that ends TLS may be in front: the scheme of the page differs then, the host does not. */
const ALL_SCHEMES = ['http', 'https'];
const TLS_SCHEMES = ['https'];

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARD_HOSTS = new Set(['0.0.0.0', '::', '[::]', '']);
const MAX_NAME_LENGTH = 253;
/** Names in lower-case letters; the suffixes are those of RFC 6762, ICANN, and RFC 8375, and one that many routers give. */
const LOCAL_NAME = /^[a-z0-9_-]+(?:(?:\.[a-z0-9_-]+)*\.(?:local|internal|lan|home\.arpa))?$/;
/** Hosts found good are remembered; there are only ever a few, and the bound keeps a prankster from adding more. */
const REMEMBERED_HOSTS = 64;

export function createCrossSiteCheck(options: CrossSiteOptions): CrossSiteCheck {
  const rules = hostRules(options);
  const origins = new Set(options.allowedOrigins);
  const schemes = options.scheme === 'https' ? TLS_SCHEMES : ALL_SCHEMES;
  const remembered = new Map<string, HostKind>();
  return {
    hostKind(host) {
      const known = remembered.get(host);
      if (known !== undefined) return known;
      const kind = kindOf(host.toLowerCase(), rules);
      if (kind !== 'foreign' && remembered.size < REMEMBERED_HOSTS) remembered.set(host, kind);
      return kind;
    },
    originFault(origin, host) {
      if (origin === undefined || isSameOrigin(origin, host, schemes) || origins.has(origin)) return undefined;
      const detail = `Pages of the origin ${JSON.stringify(origin)} may not change anything here, nor open a WebSocket.`;
      return new ProblemError(403, detail);
    },
  };
}

/** The fault of a request for a foreign Host that has nothing to show for itself. */
export function foreignHostFault(host: string): ProblemError {
  const detail = `The Host ${JSON.stringify(host)} is not a name of this server; --allow-host adds names.`;
  return new ProblemError(403, detail);
}

function hostRules(options: CrossSiteOptions): HostRules {
  const isOpen = WILDCARD_HOSTS.has(options.host);
  const ownNames = new Set(LOOPBACK_NAMES);
  ownNames.add(bracketed((isOpen ? hostname() : options.host).toLowerCase()));
  return {
    isOpen,
    isReachable: isOpen || !isLoopback(options.host),
    port: String(options.port),
    defaultPort: options.scheme === 'https' ? '443' : '80',
    ownNames,
    allowed: new Set(options.allowedHosts.map((host) => bracketed(host.toLowerCase()))),
  };
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function kindOf(host: string, rules: HostRules): HostKind {
  const { name, port } = splitHost(host);
  if (isOwnHost(host, { name, port }, rules)) return 'own';
  return rules.isReachable && isLocalName(name) ? 'local' : 'foreign';
}

function isOwnHost(host: string, { name, port }: SplitHost, rules: HostRules): boolean {
  if (rules.allowed.has(host) || rules.allowed.has(name)) return true;
  if (rules.isOpen) return rules.ownNames.has(name) || isIpLiteral(name);
  return rules.ownNames.has(name) && (port === '' ? rules.defaultPort : port) === rules.port;
}

/** A name without a dot, as containers and Windows machines have, or one under a suffix that is not sold. */
function isLocalName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && LOCAL_NAME.test(name);
}

interface SplitHost {
  readonly name: string;
  /** Empty when there is none. */
  readonly port: string;
}

function splitHost(host: string): SplitHost {
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
