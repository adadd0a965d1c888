// The command `varve token create|list|revoke`: changes the token file, which a running server reads by itself.

import { readFileSync } from 'node:fs';
import { tokenFilePath } from '../auth/open-auth.ts';
import { isRole, ROLES } from '../auth/rules/role.ts';
import { createClientSecret, createSigningKey } from '../auth/tokens/client-token.ts';
import { createToken, hashToken, TOKEN_ID_FORM } from '../auth/tokens/token.ts';
import { changeTokenFile, readTokenFile } from '../auth/tokens/token-disk.ts';
import { CLIENT_ID_FORM, MAX_NAME_LENGTH, type TokenEntry, TokenFileError } from '../auth/tokens/token-file.ts';
import { ExitCode } from '../exit-codes.ts';
import { nearestNameHint } from '../settings/nearest-name.ts';
import { readSettings, UsageError } from '../settings/read-settings.ts';
import { SettingFault, span } from '../settings/setting-kinds.ts';

const COMMANDS = ['create', 'list', 'revoke'] as const;
/** Flags of this command; all others are settings of the server, which say where the file is. */
const OWN_FLAGS = new Set(['role', 'dataset', 'name', 'expires', 'client']);
const SMALLEST_SPAN_MS = 1000;
/** Latest time that ISO 8601 writes with four digits. */
const LATEST_MS = Date.UTC(9999, 11, 31);

/**
 * `create` names nobody but its token, or the secret of its client, on standard output, so that scripts can take it from
 * there. Flags alone mean `create`.
 */
export function runTokenCommand(words: readonly string[]): ExitCode {
  const [command, ...rest] = words[0]?.startsWith('--') ? ['create', ...words] : words;
  try {
    if (command === 'create') return create(rest);
    if (command === 'list') return list(rest);
    if (command === 'revoke') return revoke(rest);
  } catch (error) {
    if (!(error instanceof TokenFileError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error.cause === undefined ? ExitCode.Usage : ExitCode.Io;
  }
  const hint = command === undefined ? '' : nearestNameHint(command, COMMANDS);
  throw new UsageError(
    `Want varve token ${COMMANDS.join('|')}${command === undefined ? '' : `; got '${command}'`}.${hint}`,
  );
}

function create(words: readonly string[]): ExitCode {
  const { path, own } = readWords(words);
  const wanted = readWanted(own);
  const client = readClientId(own);
  let made = { id: '', token: '' };
  let isFirst = false;
  changeTokenFile(path, (tokens) => {
    isFirst = tokens.length === 0;
    made = createToken((id) => tokens.some((entry) => entry.id === id));
    const entry = { id: made.id, ...wanted, hash: hashToken(made.token).toString('hex') };
    if (client === undefined) return [...tokens, entry];
    if (tokens.some((other) => other.client === client && other.revoked === undefined))
      throw new UsageError(`--client: there is a client ${client} already; revoke it first, or take another id.`);
    made.token = createClientSecret();
    const hash = hashToken(made.token).toString('hex');
    return [...tokens, { ...entry, hash, client, signingKey: createSigningKey() }];
  });
  process.stdout.write(`${made.token}\n`);
  const rights = `${wanted.role} on ${wanted.datasets.join(', ')}. Keep it now: it is shown only this once.`;
  process.stderr.write(
    client === undefined ? `Token ${made.id}: ${rights}\n` : `Secret of the client ${client}, ${made.id}: ${rights}\n`,
  );
  if (isFirst) process.stderr.write(`${firstTokenNote(wanted.role)}\n`);
  return ExitCode.Ok;
}

/** Who has made one for somebody else finds the own page locked otherwise. */
function firstTokenNote(role: TokenEntry['role']): string {
  const own = role === 'admin' ? '' : ' For yourself make another one: varve token create --role admin.';
  return `It is the first: from now on the server answers nobody without a token.${own}`;
}

function list(words: readonly string[]): ExitCode {
  const { path, own } = readWords(words);
  refuseOwnFlags(own);
  const rows = (readTokenFile(path) ?? []).map(tokenRow);
  process.stdout.write(
    formatTable([['ID', 'ROLE', 'STATE', 'CREATED', 'EXPIRES', 'CLIENT', 'DATASETS', 'NAME'], ...rows]),
  );
  return ExitCode.Ok;
}

function revoke(words: readonly string[]): ExitCode {
  const [id, ...rest] = words;
  if (id === undefined || !TOKEN_ID_FORM.test(id)) {
    throw new UsageError('Want the id of a token, as varve token list shows it: varve token revoke <id>.');
  }
  const { path, own } = readWords(rest);
  refuseOwnFlags(own);
  const entry = readTokenFile(path)?.find((candidate) => candidate.id === id);
  if (entry === undefined) {
    process.stderr.write(`There is no token ${id} in ${path}.\n`);
    return ExitCode.Failed;
  }
  const revoked = new Date().toISOString();
  changeTokenFile(path, (tokens) =>
    tokens.map((candidate) => (candidate.id === id ? { revoked, ...candidate } : candidate)),
  );
  process.stderr.write(`Token ${id} is revoked.\n`);
  return ExitCode.Ok;
}

interface TokenWords {
  readonly path: string;
  /** Values by flag, in their order. */
  readonly own: ReadonlyMap<string, readonly string[]>;
}

function readWords(words: readonly string[]): TokenWords {
  const own = new Map<string, string[]>();
  const flags: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string;
    const [, name = '', attached] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (!OWN_FLAGS.has(name)) {
      flags.push(word);
      continue;
    }
    const value = attached ?? words[++index];
    const isFlag = attached === undefined && value?.startsWith('--');
    if (value === undefined || isFlag) throw new UsageError(`--${name} needs a value.`);
    own.set(name, [...(own.get(name) ?? []), value]);
  }
  const settings = readSettings({ flags, environment: process.env, readFile: (path) => readFileSync(path, 'utf8') });
  return { path: tokenFilePath(settings), own };
}

function refuseOwnFlags(own: TokenWords['own']): void {
  for (const name of own.keys()) throw new UsageError(`--${name} belongs to varve token create.`);
}

function readWanted(own: TokenWords['own']): Pick<TokenEntry, 'role' | 'datasets' | 'name' | 'created' | 'expires'> {
  const role = single(own, 'role');
  if (role === undefined || !isRole(role))
    throw new UsageError(`--role ${ROLES.join('|')} says what the token is for.`);
  const datasets = own.get('dataset') ?? ['*'];
  if (datasets.includes('')) throw new UsageError('--dataset: want a name of datasets, with * for any characters.');
  const name = single(own, 'name') ?? '';
  if (name.length > MAX_NAME_LENGTH || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new UsageError(`--name: want at most ${MAX_NAME_LENGTH} characters on one line, and no control characters.`);
  }
  const nowMs = Date.now();
  const expires = readExpiry(single(own, 'expires'), nowMs);
  return {
    role,
    datasets,
    name,
    created: new Date(nowMs).toISOString(),
    ...(expires === undefined ? {} : { expires }),
  };
}

function readClientId(own: TokenWords['own']): string | undefined {
  const client = single(own, 'client');
  if (client === undefined || CLIENT_ID_FORM.test(client)) return client;
  throw new UsageError('--client: want an id of 1 to 100 letters, digits and . _ -');
}

function readExpiry(text: string | undefined, nowMs: number): string | undefined {
  if (text === undefined) return undefined;
  try {
    const endMs = nowMs + span(SMALLEST_SPAN_MS).parse(text);
    if (endMs > LATEST_MS) throw new SettingFault('a time before the year 9999');
    return new Date(endMs).toISOString();
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    throw new UsageError(`--expires: got '${text}'; want ${error.message}.`);
  }
}

function single(own: TokenWords['own'], name: string): string | undefined {
  const values = own.get(name) ?? [];
  if (values.length > 1) throw new UsageError(`--${name} is given twice.`);
  return values[0];
}

function tokenRow(entry: TokenEntry): string[] {
  const { id, role, datasets, name, created, expires, client } = entry;
  const patterns = datasets.map((pattern) => JSON.stringify(pattern)).join(', ');
  return [id, role, stateOf(entry), created, expires ?? '-', client ?? '-', patterns, name];
}

function stateOf({ revoked, expires }: TokenEntry): 'revoked' | 'expired' | 'valid' {
  if (revoked !== undefined) return 'revoked';
  return expires !== undefined && Date.parse(expires) <= Date.now() ? 'expired' : 'valid';
}

function formatTable(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
