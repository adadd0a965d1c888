// The address of another Varve: `varve://[token@]host[:port][?corrections=leave]`, `varves://` for TLS.

export interface VarveAddress {
  readonly url: string;
  /** Undefined where the other server has no tokens. */
  readonly token: string | undefined;
  /** What becomes of a dataset with corrections, which cannot be copied there: nothing goes on, or they are left out. */
  readonly corrections: 'refuse' | 'leave';
  /** Without the token. */
  readonly text: string;
}

const FORM = /^varve(s?):\/\/(?:([^@/?]*)@)?([^@/?]+)\/?(?:\?(.*))?$/;
const PORT = '4511';

/** Throws an error that says what an address looks like. The token may be given beside it, and counts then. */
export function parseVarveAddress(text: string, token?: string): VarveAddress {
  const [, tls, own = '', host = '', query = ''] = FORM.exec(text) ?? [];
  const url = urlOf(host, tls === 's');
  if (tls === undefined || url === undefined) throw wrong(text, 'an address such as varve://token@10.0.0.1:4511');
  const options = new URLSearchParams(query);
  for (const name of options.keys())
    if (name !== 'corrections') throw wrong(text, `only the option corrections, not '${name}'`);
  const corrections = options.get('corrections') ?? 'refuse';
  if (corrections !== 'leave' && corrections !== 'refuse') throw wrong(text, 'corrections=leave or corrections=refuse');
  const given = token ?? decoded(own, text);
  return { url, token: given === '' ? undefined : given, corrections, text: `varve${tls}://${host}` };
}

function urlOf(host: string, isTls: boolean): string | undefined {
  const written = /:\d+$/.test(host) ? host : `${host}:${PORT}`;
  const url = `${isTls ? 'https' : 'http'}://${written}`;
  return host !== '' && URL.canParse(url) ? url : undefined;
}

function decoded(text: string, address: string): string {
  try {
    const token = decodeURIComponent(text);
    if (/^[\x21-\x7e]*$/.test(token)) return token;
  } catch {
    // Told below.
  }
  throw wrong(address, 'a token of visible ASCII characters');
}

function wrong(text: string, wanted: string): Error {
  return new Error(`got '${text.replace(/\/\/.*@/, '//…@')}'; want ${wanted}.`);
}
