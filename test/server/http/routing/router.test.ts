// Which route a path leads to, and what its parameters are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpRequest, HttpResponse } from '../../../../server/http/contract/http-server.ts';
import { createRouter, type Route, type RouteMethod } from '../../../../server/http/routing/router.ts';
import { ProblemError } from '../../../../server/problem.ts';

const calls: string[] = [];
const sent: unknown[] = [];

function route(method: RouteMethod, pattern: string): Route {
  return {
    method,
    pattern,
    handle: ({ params }) => {
      calls.push(`${method} ${pattern} ${JSON.stringify([...params])}`);
    },
  };
}

const ROUTES = [
  route('GET', '/'),
  route('GET', '/api/datasets'),
  route('POST', '/api/datasets'),
  route('GET', '/api/datasets/{dataset}'),
  route('DELETE', '/api/datasets/{dataset}'),
  route('GET', '/api/datasets/{dataset}/data'),
  route('GET', '/api/datasets/{dataset}/data/{tagname...}'),
  route('POST', '/api/datasets/{dataset}/data/{tagname...}'),
  route('GET', '/api/datasets/{dataset}/tags/{tagname...}'),
  route('GET', '/files/{file}/x'),
  route('GET', '/files/special/y'),
];
const router = createRouter(ROUTES);
const foldingRouter = createRouter(ROUTES, { names: 'any-case' });

function call(method: string, path: string, handler = router): string | undefined {
  calls.length = 0;
  sent.length = 0;
  const request = { method, path } as HttpRequest;
  const response = {
    send: (status: number, headers: unknown) => sent.push([status, headers]),
  } as unknown as HttpResponse;
  void handler(request, response);
  return calls[0];
}

function problemOf(method: string, path: string): ProblemError {
  try {
    call(method, path);
  } catch (error) {
    assert.ok(error instanceof ProblemError);
    return error;
  }
  throw new Error(`${method} ${path} found a route`);
}

test('fixed paths win over parameters, and a rest takes what remains', () => {
  assert.equal(call('GET', '/'), 'GET / []');
  assert.equal(call('GET', '/api/datasets'), 'GET /api/datasets []');
  assert.equal(call('GET', '/api/datasets/p/data'), 'GET /api/datasets/{dataset}/data [["dataset","p"]]');
  assert.equal(
    call('GET', '/api/datasets/p/data/a'),
    'GET /api/datasets/{dataset}/data/{tagname...} [["dataset","p"],["tagname","a"]]',
  );
  assert.equal(
    call('GET', '/api/datasets/data/data/data'),
    'GET /api/datasets/{dataset}/data/{tagname...} [["dataset","data"],["tagname","data"]]',
  );
});

test('a slash in a tag name comes plain or encoded', () => {
  for (const path of ['a/b/c', 'a%2Fb%2fc', 'a/b%2Fc']) {
    const found = call('GET', `/api/datasets/p/tags/${path}`);
    assert.equal(found, 'GET /api/datasets/{dataset}/tags/{tagname...} [["dataset","p"],["tagname","a/b/c"]]');
  }
  assert.match(call('GET', '/api/datasets/p/tags/a//b/') ?? '', /"a\/\/b\/"/);
});

test('an encoded slash in a dataset name stays in its segment', () => {
  assert.equal(call('GET', '/api/datasets/a%2Fdata'), 'GET /api/datasets/{dataset} [["dataset","a/data"]]');
  assert.equal(call('GET', '/api/datasets/a%2Fb/data'), 'GET /api/datasets/{dataset}/data [["dataset","a/b"]]');
});

test('names are decoded once', () => {
  assert.match(call('GET', '/api/datasets/%2541') ?? '', /"%41"/);
  assert.match(call('GET', '/api/datasets/K%C3%BChlung+1') ?? '', /"Kühlung\+1"/);
});

test('a fixed segment that leads nowhere does not hide a parameter', () => {
  assert.match(call('GET', '/files/special/x') ?? '', /"special"/);
  assert.match(call('GET', '/files/special/y') ?? '', /special\/y/);
});

test('what is not percent-encoded UTF-8 is 400', () => {
  for (const path of ['%', '%ff', '%c3%28', '%zz']) assert.equal(problemOf('GET', `/api/datasets/${path}`).status, 400);
});

test('unknown paths are 404, and so are empty names', () => {
  for (const path of [
    '/x',
    '/api',
    '/api/datasets//',
    '/api/datasets//data',
    '/api/datasets/p//',
    '/api/datasets/p/q',
    '/API/datasets',
    '//',
  ]) {
    assert.equal(problemOf('GET', path).status, 404, path);
  }
});

test('a known path with another method is 405 and says which there are', () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'TRACE', 'get', 'constructor']) {
    const problem = problemOf(method, '/api/datasets/p');
    assert.equal(problem.status, 405);
    assert.deepEqual(problem.headers, [['Allow', 'DELETE, GET, HEAD, OPTIONS']]);
  }
});

test('HEAD is GET, and OPTIONS names the methods', () => {
  assert.equal(call('HEAD', '/api/datasets'), 'GET /api/datasets []');
  assert.equal(call('OPTIONS', '/api/datasets'), undefined);
  assert.deepEqual(sent, [[204, [['Allow', 'GET, HEAD, OPTIONS, POST']]]]);
  assert.equal(problemOf('OPTIONS', '/nowhere').status, 404);
});

test('a slash at the end counts for nothing, unless it is part of a tag name', () => {
  assert.equal(call('GET', '/api/datasets/'), 'GET /api/datasets []');
  assert.equal(call('POST', '/api/datasets/'), 'POST /api/datasets []');
  assert.equal(call('GET', '/api/datasets/p/'), 'GET /api/datasets/{dataset} [["dataset","p"]]');
  assert.equal(call('GET', '/api/datasets/p/data/'), 'GET /api/datasets/{dataset}/data [["dataset","p"]]');
  assert.equal(call('GET', '/files/f/x/'), 'GET /files/{file}/x [["file","f"]]');
  assert.match(call('GET', '/api/datasets/p/data/a/') ?? '', /"tagname","a\/"/);
  assert.match(call('GET', '/api/datasets/p/tags/a/b/') ?? '', /"tagname","a\/b\/"/);
  assert.equal(problemOf('DELETE', '/api/datasets/').status, 405);
});

test('paths in any case find their routes where that is wanted, and names stay as they were sent', () => {
  assert.equal(call('GET', '/API/DataSets', foldingRouter), 'GET /api/datasets []');
  assert.equal(
    call('GET', '/Api/Datasets/Plant/DATA/Boiler.T', foldingRouter),
    'GET /api/datasets/{dataset}/data/{tagname...} [["dataset","Plant"],["tagname","Boiler.T"]]',
  );
  assert.equal(call('GET', '/api/datasets/DATA/Data/', foldingRouter)?.includes('["dataset","DATA"]'), true);
  assert.match(call('GET', '/Files/Special/X', foldingRouter) ?? '', /"file","Special"/);
  assert.throws(() => call('GET', '/API/nothing', foldingRouter), ProblemError);
});

test('more different paths than are remembered still find their routes', () => {
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 3000; index++) {
      assert.match(call('GET', `/api/datasets/p/data/t${index}`) ?? '', new RegExp(`"t${index}"`));
    }
  }
});

test('two routes of one method and path are refused', () => {
  assert.throws(() => createRouter([route('GET', '/a/{x}'), route('GET', '/a/{y}')]), /BUG: two routes/);
});
