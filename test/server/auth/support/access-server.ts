// The whole server but for its process: the app over an engine of its own, with tokens, on either transport.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Engine, openEngine } from '../../../../engine/index.ts';
import { createApp } from '../../../../server/app.ts';
import { Audit } from '../../../../server/auth/audit/audit.ts';
import { auditForeign } from '../../../../server/auth/open-auth.ts';
import type { OpenStreams } from '../../../../server/auth/open-streams.ts';
import type { Role } from '../../../../server/auth/rules/role.ts';
import { createClientSecret, createSigningKey, signClientToken } from '../../../../server/auth/tokens/client-token.ts';
import { createToken, hashToken } from '../../../../server/auth/tokens/token.ts';
import { formatTokenFile, type TokenEntry } from '../../../../server/auth/tokens/token-file.ts';
import type { TokenStore } from '../../../../server/auth/tokens/token-store.ts';
import { doorProblemForms, openDoors } from '../../../../server/doors/doors.ts';
import type { HttpHandler, HttpServerOptions } from '../../../../server/http/contract/http-server.ts';
import { createCrossSiteCheck } from '../../../../server/http/guard/cross-site.ts';
import { answerStyle } from '../../../../server/routes/service/service.ts';
import { createHttpServer, type TransportName } from '../../../../server/transport.ts';
import { openViewDisk } from '../../../../server/views/view-disk.ts';
import { ViewStore } from '../../../../server/views/view-store.ts';
import { HttpClient } from '../../../support/http-client.ts';
import { openTestAccess } from './access-parts.ts';

export interface MadeToken {
  readonly token: string;
  readonly entry: TokenEntry;
}

export interface AccessServer {
  readonly engine: Engine;
  readonly views: ViewStore;
  readonly tokens: TokenStore;
  readonly streams: OpenStreams;
  readonly tokenPath: string;
  readonly http: HttpClient;
  readonly url: string;
  readonly port: number;
  /** Lines of the audit log so far. */
  readonly auditLines: Record<string, unknown>[];
  /** What the limits take for now, and how far the time of the tokens is ahead; moved by the tests. */
  readonly clock: { monotonicMs: number; aheadMs: number };
}

export interface AccessServerOptions extends Partial<HttpServerOptions> {
  /** To listen on; `0.0.0.0` makes it a server that is open to other hosts. */
  readonly host?: string;
}

export interface MadeClient {
  readonly id: string;
  readonly secret: string;
  readonly entry: TokenEntry;
}

export function makeToken(role: Role, datasets: readonly string[], more: Partial<TokenEntry> = {}): MadeToken {
  const { id, token } = createToken();
  const hash = hashToken(token).toString('hex');
  return { token, entry: { id, role, datasets, name: '', hash, created: '2026-01-01T00:00:00.000Z', ...more } };
}

/** Its client id is `client-<id of the entry>`, unless `more` has another. */
export function makeClient(role: Role, datasets: readonly string[], more: Partial<TokenEntry> = {}): MadeClient {
  const secret = createClientSecret();
  const { entry } = makeToken(role, datasets, { hash: hashToken(secret).toString('hex') });
  const id = more.client ?? `client-${entry.id}`;
  return { id, secret, entry: { ...entry, client: id, signingKey: createSigningKey(), ...more } };
}

/** One that ends in so many ms. */
export function clientToken({ entry }: MadeClient, lifeMs = 60_000): string {
  return signClientToken(entry, Date.now() + lifeMs);
}

/** Without `entries` there is no token file. */
export async function startAccessServer(
  context: Pick<TestContext, 'after'>,
  transport: TransportName,
  entries?: readonly TokenEntry[],
  { host = '127.0.0.1', ...options }: AccessServerOptions = {},
): Promise<AccessServer> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-test-'));
  const tokenPath = join(folder, 'tokens.json');
  if (entries !== undefined) writeFileSync(tokenPath, formatTokenFile(entries));
  const engine = await openEngine({ folder: join(folder, 'data'), durability: 'os', listener: () => {} });
  const auditLines: Record<string, unknown>[] = [];
  const audit = new Audit({ info: (fields, msg) => auditLines.push({ ...fields, msg }) });
  const clock = { monotonicMs: 0, aheadMs: 0 };
  const access = openTestAccess(tokenPath, audit, {
    nowMs: () => Date.now() + clock.aheadMs,
    monotonicMs: () => clock.monotonicMs,
  });
  let app: HttpHandler = () => {};
  const errors: unknown[] = [];
  const { server } = createHttpServer(transport, {
    handler: (request, response) => app(request, response),
    serverName: 'Varve/test',
    allowedHosts: [],
    allowHost: (request, kind) => access.hosts.allows(request, kind),
    onForeign: auditForeign(audit),
    onError: (error) => errors.push(error),
    problemForms: doorProblemForms([]),
    ...options,
  });
  const port = await server.listen(host, 0);
  const views = await ViewStore.open({
    disk: openViewDisk(join(folder, 'data', '.views')),
    nowMs: () => Date.now(),
    reserveBytes: 0,
    onLeftAlone: (file, reason) => errors.push(new Error(`${file}: ${reason}`)),
  });
  const service = {
    engine,
    views,
    nowMs: () => Date.now(),
    style: answerStyle(undefined),
    handling: 'strict',
    maxBodyBytes: 2 ** 20,
    doorLate: 'accept',
    browsing: { certificateFolder: join(folder, 'opcua'), isOpenToAll: false },
  } as const;
  const check = createCrossSiteCheck({ host, port, allowedHosts: options.allowedHosts ?? [] });
  app = createApp(service, { ...access, hostKind: (name) => check.hostKind(name) }, openDoors(service, []).routes);
  const url = `http://127.0.0.1:${port}`;
  const http = new HttpClient(url);
  context.after(async () => {
    http.close();
    await server.close(0);
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
    if (errors.length > 0) throw new AggregateError(errors, 'the server reported errors');
  });
  const { tokens, streams } = access;
  return { engine, views, tokens, streams, tokenPath, http, url, port, auditLines, clock };
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
