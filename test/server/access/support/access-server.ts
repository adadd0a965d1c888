// The whole server but for its process: the app over an engine of its own, with tokens, on either transport.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Engine, openEngine } from '../../../../engine/index.ts';
import { AttemptLimit } from '../../../../server/access/attempt-limit.ts';
import { Audit } from '../../../../server/access/audit.ts';
import { auditForeign } from '../../../../server/access/open-access.ts';
import type { Role } from '../../../../server/access/role.ts';
import { createToken, hashToken } from '../../../../server/access/token.ts';
import { formatTokenFile, type TokenEntry } from '../../../../server/access/token-file.ts';
import { TokenStore } from '../../../../server/access/token-store.ts';
import { createApp } from '../../../../server/app.ts';
import { createCrossSiteCheck } from '../../../../server/http/cross-site.ts';
import type { HttpHandler, HttpServerOptions } from '../../../../server/http/http-server.ts';
import { createHttpServer, type TransportName } from '../../../../server/http/transport.ts';
import { answerStyle } from '../../../../server/routes/service.ts';
import { HttpClient } from '../../../support/http-client.ts';

export interface MadeToken {
  readonly token: string;
  readonly entry: TokenEntry;
}

export interface AccessServer {
  readonly engine: Engine;
  readonly tokens: TokenStore;
  readonly tokenPath: string;
  readonly http: HttpClient;
  readonly url: string;
  readonly port: number;
  /** Lines of the audit log so far. */
  readonly auditLines: Record<string, unknown>[];
  /** What the limits take for now; moved by the tests. */
  readonly clock: { monotonicMs: number };
}

export function makeToken(role: Role, datasets: readonly string[], more: Partial<TokenEntry> = {}): MadeToken {
  const { id, token } = createToken();
  const hash = hashToken(token).toString('hex');
  return { token, entry: { id, role, datasets, name: '', hash, created: '2026-01-01T00:00:00.000Z', ...more } };
}

/** Without `entries` there is no token file. */
export async function startAccessServer(
  context: Pick<TestContext, 'after'>,
  transport: TransportName,
  entries?: readonly TokenEntry[],
  options: Partial<HttpServerOptions> = {},
): Promise<AccessServer> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-test-'));
  const tokenPath = join(folder, 'tokens.json');
  if (entries !== undefined) writeFileSync(tokenPath, formatTokenFile(entries));
  const tokens = TokenStore.open(tokenPath, { changed: () => {}, failed: () => {} });
  const engine = await openEngine({ folder: join(folder, 'data'), durability: 'os', listener: () => {} });
  const auditLines: Record<string, unknown>[] = [];
  const audit = new Audit({ info: (fields, msg) => auditLines.push({ ...fields, msg }) });
  const clock = { monotonicMs: 0 };
  let app: HttpHandler = () => {};
  const errors: unknown[] = [];
  const { server } = createHttpServer(transport, {
    handler: (request, response) => app(request, response),
    serverName: 'Varve/test',
    allowedHosts: [],
    onForeign: auditForeign(audit),
    onError: (error) => errors.push(error),
    ...options,
  });
  const port = await server.listen('127.0.0.1', 0);
  const service = {
    engine,
    nowMs: () => Date.now(),
    style: answerStyle(undefined),
    handling: 'strict',
    maxBodyBytes: 2 ** 20,
  } as const;
  const check = createCrossSiteCheck({ host: '127.0.0.1', port, allowedHosts: options.allowedHosts ?? [] });
  app = createApp(service, {
    tokens,
    audit,
    attempts: new AttemptLimit(),
    checkHost: (host) => check(host, undefined),
    nowMs: () => Date.now(),
    monotonicMs: () => clock.monotonicMs,
  });
  const url = `http://127.0.0.1:${port}`;
  const http = new HttpClient(url);
  context.after(async () => {
    http.close();
    await server.close(0);
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
    if (errors.length > 0) throw new AggregateError(errors, 'the server reported errors');
  });
  return { engine, tokens, tokenPath, http, url, port, auditLines, clock };
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
