// The token file: JSON with one entry for each token ever made, and of each token only its hash. Revoked tokens stay, so
// that the list and the audit log can tell them from unknown ones.

import { createAjv } from '../../api/validation/validate.ts';
import { ROLES, type Role } from '../rules/role.ts';
import { TOKEN_ID_FORM } from './token.ts';

/** In the data folder, unless --tokens says otherwise. No dataset's folder begins with a dot. */
export const TOKEN_FILE_PLACE = '.access/tokens.json';
export const MAX_NAME_LENGTH = 100;
/** Characters that mean the same in a form, in a URL and in a header. */
export const CLIENT_ID_FORM = /^[A-Za-z0-9._-]{1,100}$/;
const FORMAT_VERSION = 1;

export interface TokenEntry {
  readonly id: string;
  readonly role: Role;
  /** Patterns of the names of the datasets it is for; at least one. */
  readonly datasets: readonly string[];
  /** What it is for, in its maker's words; may be empty. */
  readonly name: string;
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly hash: string;
  /** ISO 8601, as the others. */
  readonly created: string;
  readonly expires?: string;
  readonly revoked?: string;
  /** The client id, when it is a client: `hash` is then that of its secret, which is no token. */
  readonly client?: string;
  /** Signs the tokens of a client; 32 bytes in hexadecimal digits. */
  readonly signingKey?: string;
}

/** The token file cannot be used; the message says why, and what to do. */
export class TokenFileError extends Error {}

const TIME_SCHEMA = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' };

export const FILE_SCHEMA = {
  type: 'object',
  required: ['version', 'tokens'],
  additionalProperties: false,
  properties: {
    version: { const: FORMAT_VERSION },
    tokens: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'role', 'datasets', 'name', 'hash', 'created'],
        additionalProperties: false,
        dependentRequired: { client: ['signingKey'], signingKey: ['client'] },
        properties: {
          id: { type: 'string', pattern: TOKEN_ID_FORM.source },
          role: { enum: ROLES },
          datasets: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
          name: { type: 'string', maxLength: MAX_NAME_LENGTH },
          hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
          created: TIME_SCHEMA,
          expires: TIME_SCHEMA,
          revoked: TIME_SCHEMA,
          client: { type: 'string', pattern: CLIENT_ID_FORM.source },
          signingKey: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        },
      },
    },
  },
};

/** Compiles the schema once; the file is read again whenever it changes. */
let sharedAjv: ReturnType<typeof createAjv> | undefined;

/** The entries of a token file's text. Throws a `TokenFileError` that names `path`. */
export function parseTokenFile(text: string, path: string): TokenEntry[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw damaged(path, error instanceof Error ? error.message : String(error));
  }
  sharedAjv ??= createAjv();
  if (!sharedAjv.validate(FILE_SCHEMA, content)) {
    throw damaged(path, sharedAjv.errorsText(undefined, { dataVar: '' }));
  }
  const { tokens } = content as { tokens: TokenEntry[] };
  const fault = faultOf(tokens);
  if (fault !== undefined) throw damaged(path, fault);
  return tokens;
}

export function formatTokenFile(tokens: readonly TokenEntry[]): string {
  return `${JSON.stringify({ version: FORMAT_VERSION, tokens }, null, 2)}\n`;
}

/** What the schema cannot say. */
function faultOf(tokens: readonly TokenEntry[]): string | undefined {
  const ids = new Set<string>();
  const clients = new Set<string>();
  for (const { id, created, expires, revoked, client } of tokens) {
    if (ids.has(id)) return `two tokens have the id ${id}`;
    ids.add(id);
    const wrong = [created, expires, revoked].find((time) => time !== undefined && Number.isNaN(Date.parse(time)));
    if (wrong !== undefined) return `the token ${id} has the time ${wrong}`;
    if (client === undefined || revoked !== undefined) continue;
    if (clients.has(client)) return `two clients that are not revoked have the id ${client}`;
    clients.add(client);
  }
  return undefined;
}

function damaged(path: string, reason: string): TokenFileError {
  const remedy = "Restore it from a backup, or move it away and make new tokens with 'varve token create'.";
  return new TokenFileError(`The token file ${path} is damaged: ${reason}. ${remedy}`);
}
