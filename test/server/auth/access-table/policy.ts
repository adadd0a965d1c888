// What the policy says to each request: by its route, its token, its Host and its origin.

import { includesRole } from '../../../../server/auth/rules/role.ts';
import { doorProblemForms } from '../../../../server/doors/doors.ts';
import { type Sample, samples } from './samples.ts';
import { STATES, type TokenState } from './tokens.ts';

const ORIGINS = ['none', 'own', 'foreign', 'allowed'] as const;
const HOSTS = ['own', 'local', 'foreign'] as const;

export interface Site {
  readonly host: (typeof HOSTS)[number];
  /** `own`: that of the Host, whatever that is. */
  readonly origin: (typeof ORIGINS)[number];
}

export const SITES: readonly Site[] = HOSTS.flatMap((host) => ORIGINS.map((origin) => ({ host, origin })));

/** Refused before anybody looks at what the route is. */
export function isCrossSite(sample: Sample, state: TokenState, { host, origin }: Site): boolean {
  if (sample.method === 'GET') return false;
  if (origin === 'foreign') return true;
  if (host !== 'foreign') return false;
  if (sample.need === 'client') return clientStatus(sample, state) !== 200;
  return state.meaning === 'none' || state.meaning === 'invalid';
}

/** The header says who the client is when it is Basic, and this one says nothing. */
function clientStatus(sample: Sample, state: TokenState): number {
  return state.name === 'another scheme' ? 401 : sample.status;
}

const FILTERED = ['/api/datasets', '/api/views', '/metrics', '/api/sources', '/api/copies', '/auth/caller'];
/** Doors whose routes show what the token is for. */
const FILTERED_DOORS = ['/i3x/', '/mcp', '/prometheus/', '/grafana', '/odata', '/query'];
/** Paths for the role admin of all datasets, and the one state that has it. */
const FOR_ALL_DATASETS = '/api/sources/opcua';
const ADMIN_OF_ALL = "client's, admin";
/** Paths whose errors are in the form of another standard. */
export const FOREIGN_FORMS = doorProblemForms([]).map(({ prefix }) => prefix);

export function expectedStatus(sample: Sample, state: TokenState, site: Site): number {
  const { need } = sample;
  if (isCrossSite(sample, state, site)) return 403;
  if (need === 'client') return clientStatus(sample, state);
  if (need === 'probe' || need === 'page') return sample.status;
  if (state.meaning === 'none' || state.meaning === 'invalid') return 401;
  if (sample.path.startsWith(FOR_ALL_DATASETS) && state.name !== ADMIN_OF_ALL) return 403;
  // These show what the token is for, and that is nothing here.
  const isFiltered =
    FILTERED_DOORS.some((door) => sample.path.startsWith(door)) ||
    (sample.method === 'GET' && FILTERED.includes(sample.path));
  if (state.meaning === 'other dataset') return isFiltered ? sample.status : 403;
  return includesRole(state.meaning, need) ? sample.status : 403;
}

export interface Combination {
  readonly sample: Sample;
  readonly state: TokenState;
  readonly site: Site;
}

export function allCombinations(): Combination[] {
  return samples.flatMap((sample) => STATES.flatMap((state) => SITES.map((site) => ({ sample, state, site }))));
}

/** Each two of a route, a token and a site meet: each route with each token once, from all sites in turn. */
export function pairs(): Combination[] {
  return samples.flatMap((sample, sampleIndex) =>
    STATES.map((state, stateIndex) => {
      const site = SITES[(sampleIndex + stateIndex) % SITES.length] as Site;
      return { sample, state, site };
    }),
  );
}
