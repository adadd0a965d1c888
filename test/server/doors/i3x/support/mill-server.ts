// A server with a few tags, and a caller of its i3X door.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type AccessServer, type MadeToken, startAccessServer } from '../../../auth/support/access-server.ts';

export const BASE = '/i3x/v1';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any form are looked into.
  readonly body: any;
}

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** Sends a text as it is, and all else as JSON. */
export function caller(server: AccessServer, token?: MadeToken): Call {
  return async (method, path, body, headers = {}) => {
    const auth = token === undefined ? {} : { authorization: `Bearer ${token.token}` };
    const answer = await server.http.send(method, path.startsWith('/') ? path : `${BASE}/${path}`, {
      headers: { 'content-type': 'application/json', ...auth, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, body: answer.text === '' ? undefined : JSON.parse(answer.text) };
  };
}

const POINTS = {
  'line/Flow': [
    { t: '2026-03-01T08:00:00Z', v: 10.5 },
    { t: '2026-03-01T08:30:00Z', v: 20, q: 64 },
    { t: '2026-03-01T09:00:00Z', v: 40 },
  ],
  'line/pump/On': [{ t: '2026-03-01T08:00:00Z', v: true }],
  Fault: [{ t: '2026-03-01T08:00:00Z', v: 7, q: 0 }],
  Gap: [{ t: '2026-03-01T08:00:00Z', v: null }],
};

/** Datasets `Mill`, `Secret` and `a:b`, each with the same points. */
export async function openMill(
  context: TestContext,
  transport: 'uws' | 'node',
  tokens: MadeToken[] = [],
): Promise<AccessServer> {
  const server = await startAccessServer(
    context,
    transport,
    tokens.length > 0 ? tokens.map(({ entry }) => entry) : undefined,
  );
  const call = caller(server, tokens[0]);
  for (const dataset of ['Mill', 'Secret', 'a:b']) {
    const written = await call('POST', `/api/datasets/${encodeURIComponent(dataset)}/data`, POINTS);
    assert.equal(written.status, 200);
  }
  return server;
}
