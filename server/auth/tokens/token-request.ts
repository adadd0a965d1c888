// Reads a request for a client's token (RFC 6749, section 4.4.2): a form or JSON, the client also by Basic.

/** The codes of RFC 6749, section 5.2, that are used here. */
export type TokenFaultCode = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type';

/** Why a client gets no token; the message has printable ASCII only, and neither quotes nor backslashes. */
export class TokenFault extends Error {
  readonly code: TokenFaultCode;

  constructor(code: TokenFaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

type Parameters = Readonly<Record<ParameterName, string | undefined>>;
type ParameterName = (typeof PARAMETERS)[number];

const PARAMETERS = ['grant_type', 'client_id', 'client_secret'] as const;
const GRANT_TYPE = 'client_credentials';
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;

/** Whether a client has tried to say who it is in the header. */
export function isBasic(authorization: string | undefined): boolean {
  return /^Basic(?: |$)/i.test(authorization ?? '');
}

/** The client that asks. A body that begins like a JSON object is one, whatever it is declared as. Throws a `TokenFault`. */
export function readTokenRequest(body: Uint8Array, authorization: string | undefined): ClientCredentials {
  const text = decodeText(body).trim();
  const parameters = text.startsWith('{') ? readJson(text) : readForm(text);
  const grantType = parameters.grant_type;
  if (grantType === undefined) throw new TokenFault('invalid_request', 'grant_type is missing.');
  if (grantType !== GRANT_TYPE)
    throw new TokenFault('unsupported_grant_type', `grant_type: only ${GRANT_TYPE} is known here.`);
  return isBasic(authorization) ? basicCredentials(authorization ?? '', parameters) : bodyCredentials(parameters);
}

function decodeText(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new TokenFault('invalid_request', 'The body is not UTF-8.');
  }
}

function readJson(text: string): Parameters {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TokenFault('invalid_request', 'The body is not JSON.');
  }
  const members = value as Readonly<Record<ParameterName, unknown>>;
  return parametersOf((name) => {
    const member = members[name] ?? undefined;
    if (member === undefined || typeof member === 'string') return member;
    throw new TokenFault('invalid_request', `${name} is not a text.`);
  });
}

function readForm(text: string): Parameters {
  const form = new URLSearchParams(text);
  return parametersOf((name) => {
    const values = form.getAll(name);
    if (values.length > 1) throw new TokenFault('invalid_request', `${name} is given twice.`);
    return values[0];
  });
}

/** An empty parameter is treated as one that is missing (RFC 6749, section 3.2). */
function parametersOf(read: (name: ParameterName) => string | undefined): Parameters {
  const [grantType, id, secret] = PARAMETERS.map((name) => read(name) || undefined);
  return { grant_type: grantType, client_id: id, client_secret: secret };
}

function bodyCredentials({ client_id: id, client_secret: secret }: Parameters): ClientCredentials {
  if (id === undefined || secret === undefined)
    throw new TokenFault('invalid_client', 'client_id and client_secret are needed, or the same by Basic.');
  return { id, secret };
}

function basicCredentials(authorization: string, parameters: Parameters): ClientCredentials {
  const pair = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 0) throw new TokenFault('invalid_client', 'The Authorization header has no id and secret.');
  // Form-encoded, says section 2.3.1; in ids and secrets of ours nothing changes by that.
  const [id = '', secret = ''] = [pair.slice(0, colon), pair.slice(colon + 1)].map(decodeFormValue);
  const other = parameters.client_id;
  if (parameters.client_secret !== undefined || (other !== undefined && other !== id))
    throw new TokenFault('invalid_request', 'The client says who it is in two ways.');
  return { id, secret };
}

function decodeFormValue(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? '';
}
