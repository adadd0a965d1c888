// The access control of one run of the server, out of its settings: tokens, TLS, audit log.

import type { Logger } from 'pino';
import { ExitCode } from '../exit-codes.ts';
import { isLoopback } from '../process/loopback.ts';
import { StartFailure } from '../process/start-failure.ts';
import { UsageError } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { AttemptLimit } from './audit/attempt-limit.ts';
import { Audit } from './audit/audit.ts';
import { plainAddress } from './audit/remote-address.ts';
import type { AuthCore } from './auth-core.ts';
import { HostCheck } from './host-check.ts';
import { OpenStreams } from './open-streams.ts';
import type { Role } from './rules/role.ts';
import { type CheckedTlsFiles, checkTlsFiles, TlsFileError } from './tls-files.ts';
import { createToken, hashToken } from './tokens/token.ts';
import { isOpenToOthers } from './tokens/token-disk.ts';
import { TOKEN_FILE_PLACE, TokenFileError } from './tokens/token-file.ts';
import { TokenStore } from './tokens/token-store.ts';

export interface Access extends AuthCore {
  readonly hosts: HostCheck;
  readonly streams: OpenStreams;
  /** Undefined without TLS. */
  readonly tls: CheckedTlsFiles | undefined;
}

const DAY_MS = 86_400_000;
const CERTIFICATE_NOTICE_MS = 14 * DAY_MS;

/** Throws a `UsageError` for invalid settings, or files that they name; a `StartFailure` when the disk fails. */
export function openAccess(settings: Settings, logger: Logger): Access {
  const tls = openTls(settings);
  const audit = new Audit(logger.child({}, { level: 'info' }));
  const tokens = openTokens(settings, logger, audit);
  refuseMissingTokens(settings, tokens);
  const streams = new OpenStreams(tokens);
  tokens.watch(() => streams.sweep(Date.now()));
  warnOfWeakness({ settings, logger, tokens, tls });
  const clocks = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
  const core = { tokens, audit, attempts: new AttemptLimit(), ...clocks };
  return { ...core, hosts: new HostCheck(core), streams, tls };
}

/** The token file that is meant, whether it is there or not. */
export function tokenFilePath(settings: Pick<Settings, 'tokens' | 'data'>): string {
  return settings.tokens ?? `${settings.data}/${TOKEN_FILE_PLACE}`;
}

/** A token for what runs inside this process; it is in no file, and ends with the process. */
export function addOwnToken({ tokens }: Access, role: Role, dataset: string): string {
  const { id, token } = createToken();
  const created = new Date().toISOString();
  const hash = hashToken(token).toString('hex');
  tokens.addOwn({ id, role, datasets: [dataset], name: "the server's own", hash, created });
  return token;
}

/** For the HTTP server: requests of other sites go into the audit log. */
export function auditForeign(audit: Audit): (request: ForeignRequest, reason: string) => void {
  return ({ method, path, remoteAddress }, detail) => {
    const actor = { tokenId: undefined, remoteAddress: plainAddress(remoteAddress) };
    audit.refused(actor, 'other site', { method, path, detail }, performance.now());
  };
}

interface ForeignRequest {
  readonly method: string;
  readonly path: string;
  readonly remoteAddress: string;
}

function openTls(settings: Settings): CheckedTlsFiles | undefined {
  const { 'tls-key': key, 'tls-cert': certificate } = settings;
  if (key === undefined && certificate === undefined) return undefined;
  if (key === undefined || certificate === undefined) {
    throw new UsageError(
      `--tls-key and --tls-cert belong together; got only --tls-${key === undefined ? 'cert' : 'key'}.`,
    );
  }
  try {
    return checkTlsFiles(key, certificate);
  } catch (error) {
    throw error instanceof TlsFileError ? new UsageError(error.message) : error;
  }
}

function openTokens(settings: Settings, logger: Logger, audit: Audit): TokenStore {
  const atTheMachine = { tokenId: undefined, remoteAddress: undefined };
  try {
    return TokenStore.open(tokenFilePath(settings), {
      changed(changes) {
        for (const { action, entry } of changes) {
          const { id: subject, role, datasets, name, client } = entry;
          audit.done(atTheMachine, action, { subject, role, datasets, name, client });
        }
      },
      failed: (message) => logger.error(message),
    });
  } catch (error) {
    if (!(error instanceof TokenFileError)) throw error;
    if (error.cause === undefined) throw new UsageError(error.message);
    throw new StartFailure(ExitCode.Io, error.message, error.cause);
  }
}

/** A token file that is named by hand must be there: a typing error must not switch access control off. */
function refuseMissingTokens(settings: Settings, tokens: TokenStore): void {
  if (tokens.isOn || settings.tokens === undefined) return;
  throw new UsageError(`--tokens ${settings.tokens}: there is no such file. 'varve token create' makes it.`);
}

interface Situation {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly tokens: TokenStore;
  readonly tls: CheckedTlsFiles | undefined;
}

function warnOfWeakness({ settings, logger, tokens, tls }: Situation): void {
  const { host } = settings;
  const path = tokenFilePath(settings);
  if (tokens.isOn) logger.info({ tokens: tokens.count }, `Access control is on, by ${path}.`);
  if (tokens.isOn && isOpenToOthers(path)) {
    logger.warn(`Other accounts may write to ${path}, and so give themselves tokens. Make it yours alone: chmod 600.`);
  }
  if (!isLoopback(host) && !tokens.isOn) {
    logger.warn(
      { host },
      'The server is open to the network and there are no tokens: whoever reaches it may change data.',
    );
  }
  if (!isLoopback(host) && tokens.isOn && tls === undefined) {
    logger.warn(
      { host },
      'Tokens cross the network unencrypted. Use --tls-key and --tls-cert, or a proxy that ends TLS.',
    );
  }
  if (tls !== undefined && tls.validToMs < Date.now() + CERTIFICATE_NOTICE_MS) {
    logger.warn({ certificate: tls.certFile }, `The certificate holds until ${new Date(tls.validToMs).toISOString()}.`);
  }
}
