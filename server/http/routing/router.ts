// Finds the route of a request. Paths are split at their slashes before they are decoded, so that an encoded slash is
// part of a name; the last parameter of a pattern may take the whole rest, slashes included. A slash at the end of a path
// is ignored unless it belongs to a name.

import { ANYONE, type Caller } from '../../auth/rules/caller.ts';
import { ProblemError } from '../../problem.ts';
import type { HttpHandler, HttpRequest, HttpResponse } from '../contract/http-server.ts';
import { decodePercent } from './query.ts';

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface RouteContext {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** Decoded, by the names of the pattern. */
  readonly params: ReadonlyMap<string, string>;
  /** Who calls. That it may call the route is decided already; rights that depend on the body are for the route to check. */
  readonly caller: Caller;
}

/** Returns the caller, or throws a `ProblemError` when it may not call the route. */
export type Authorize = (route: Route, request: HttpRequest, params: ReadonlyMap<string, string>) => Caller;

export interface Route {
  readonly method: RouteMethod;
  /** `/api/datasets/{dataset}/tags/{tagname...}`, in lower case; a parameter is a whole segment, and never empty. */
  readonly pattern: string;
  /**
   * The Authorization that a request means, as a header, where clients of another standard show their token in other ways
   * as well; the header itself when absent.
   */
  authorizationOf?(request: HttpRequest): string | undefined;
  handle(context: RouteContext): Promise<void> | void;
}

export interface RouterOptions {
  readonly authorize?: Authorize;
  /** `any-case`: the fixed segments of a path are found whatever their case. */
  readonly names?: 'exact' | 'any-case';
}

/** One position in the tree of patterns. */
interface PathNode {
  readonly fixed: Map<string, PathNode>;
  parameter: PathNode | undefined;
  rest: PathNode | undefined;
  /** By method. Parameter names are kept with the route: patterns may name one position differently. */
  readonly routes: Map<string, PreparedRoute>;
}

interface PreparedRoute {
  readonly route: Route;
  readonly names: readonly string[];
}

/** The tree, and how a segment is normalized before it is looked up among the fixed ones. */
interface PathTree {
  readonly root: PathNode;
  readonly fold: (segment: string) => string;
}

interface Match {
  readonly node: PathNode;
  /** Still encoded, in the order of the pattern. */
  readonly values: readonly string[];
  /** What the route that was last called so calls them, decoded. */
  decoded: DecodedParams | undefined;
}

interface DecodedParams {
  readonly names: readonly string[];
  readonly params: ReadonlyMap<string, string>;
}

/** Collectors use few paths again and again: the matches of up to this many short ones are cached. */
const REMEMBERED_PATHS = 1024;
const REMEMBERED_PATH_LENGTH = 256;

/**
 * A handler that calls the route of each authorized request; unknown paths are 404, other methods 405, OPTIONS is
 * 204 (without authorization: browsers send no token with a preflight request).
 */
export function createRouter(routes: readonly Route[], options: RouterOptions = {}): HttpHandler {
  const { authorize = () => ANYONE, names = 'exact' } = options;
  const fold = names === 'exact' ? (segment: string) => segment : (segment: string) => segment.toLowerCase();
  const tree: PathTree = { root: createNode(), fold };
  for (const route of routes) addRoute(tree.root, route);
  const findMatch = rememberingMatcher(tree);
  return (request, response) => {
    const match = findMatch(request.path);
    if (match === undefined) throw new ProblemError(404, `There is nothing at ${request.path}.`);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const prepared = match.node.routes.get(method);
    if (prepared !== undefined) {
      const params = paramsOf(match, prepared.names);
      const caller = authorize(prepared.route, request, params);
      return prepared.route.handle({ request, response, params, caller });
    }
    const allow = ['Allow', allowedMethods(match.node)] as const;
    if (method !== 'OPTIONS') {
      throw new ProblemError(405, `${request.method} is not possible at ${request.path}.`, { headers: [allow] });
    }
    response.send(204, [allow]);
    return undefined;
  };
}

function rememberingMatcher(tree: PathTree): (path: string) => Match | undefined {
  const remembered = new Map<string, Match>();
  return (path) => {
    const known = remembered.get(path);
    if (known !== undefined) return known;
    const match = findPath(tree, path);
    if (match === undefined || path.length > REMEMBERED_PATH_LENGTH) return match;
    if (remembered.size >= REMEMBERED_PATHS) remembered.clear();
    remembered.set(path, match);
    return match;
  };
}

function createNode(): PathNode {
  return { fixed: new Map(), parameter: undefined, rest: undefined, routes: new Map() };
}

function addRoute(root: PathNode, route: Route): void {
  const names: string[] = [];
  let node = root;
  for (const segment of route.pattern.split('/').slice(1)) node = childOf(node, segment, names);
  if (node.routes.has(route.method)) throw new Error(`BUG: two routes for ${route.method} ${route.pattern}`);
  node.routes.set(route.method, { route, names });
}

function childOf(node: PathNode, segment: string, names: string[]): PathNode {
  const parameter = /^\{([A-Za-z]+)(\.\.\.)?\}$/.exec(segment);
  if (parameter === null) {
    const child = node.fixed.get(segment) ?? createNode();
    node.fixed.set(segment, child);
    return child;
  }
  names.push(parameter[1] as string);
  if (parameter[2] === undefined) {
    node.parameter ??= createNode();
    return node.parameter;
  }
  node.rest ??= createNode();
  return node.rest;
}

/** The match of the path as it is, else without the slash at its end. */
function findPath({ root, fold }: PathTree, path: string): Match | undefined {
  const segments = path.split('/').slice(1);
  const match = matchPath(root, segments, fold);
  const endsInOneSlash = segments.at(-1) === '' && segments.at(-2) !== '';
  if (match !== undefined || !endsInOneSlash) return match;
  return matchPath(root, segments.slice(0, -1), fold);
}

/** Fixed segments win over parameters, and these over the rest, even where the winner lacks the method. */
function matchPath(node: PathNode, segments: readonly string[], fold: PathTree['fold']): Match | undefined {
  const [first, ...others] = segments;
  if (first === undefined) return node.routes.size > 0 ? { node, values: [], decoded: undefined } : undefined;
  const fixed = node.fixed.get(fold(first));
  const byFixed = fixed === undefined ? undefined : matchPath(fixed, others, fold);
  if (byFixed !== undefined) return byFixed;
  if (node.parameter !== undefined && first !== '') {
    const match = matchPath(node.parameter, others, fold);
    if (match !== undefined) return { node: match.node, values: [first, ...match.values], decoded: undefined };
  }
  const rest = segments.join('/');
  return node.rest !== undefined && rest !== '' ? { node: node.rest, values: [rest], decoded: undefined } : undefined;
}

function paramsOf(match: Match, names: readonly string[]): ReadonlyMap<string, string> {
  if (match.decoded?.names !== names) match.decoded = { names, params: decodeParams(names, match.values) };
  return match.decoded.params;
}

function decodeParams(names: readonly string[], values: readonly string[]): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  for (let index = 0; index < names.length; index++) {
    params.set(names[index] as string, decodePercent(values[index] ?? ''));
  }
  return params;
}

function allowedMethods(node: PathNode): string {
  const methods = [...node.routes.keys()];
  if (node.routes.has('GET')) methods.push('HEAD');
  return [...methods, 'OPTIONS'].sort().join(', ');
}
