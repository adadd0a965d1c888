// The address of a ClickHouse: `clickhouse://[user[:password]@]host[:port][,host[:port]…][/database][?cluster=name&quorum=n]`,
// `clickhouses://` for TLS.

export interface ClickHouseAddress {
  /** URLs of the HTTP interfaces, one for each host. */
  readonly urls: readonly string[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Undefined: `varve` where there is a cluster of that name, else none. */
  readonly cluster: string | undefined;
  /** Replicas of a shard that must have an insert; undefined: two, where a shard has two. */
  readonly quorum: number | undefined;
  /** Without user and password. */
  readonly text: string;
}

const FORM = /^clickhouse(s?):\/\/(?:([^@/]*)@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/;
const PORT = '8123';
const TLS_PORT = '8443';
const NAME = /^[A-Za-z_]\w*$/;

/** Throws an error that says what an address looks like. The password may be given beside it. */
export function parseAddress(text: string, password?: string): ClickHouseAddress {
  const [, tls, credentials = '', hosts = '', database = '', query = ''] = FORM.exec(text) ?? [];
  const urls = hosts.split(',').flatMap((host) => urlOf(host, tls === 's') ?? []);
  if (tls === undefined || urls.length === 0 || urls.length !== hosts.split(',').length)
    throw wrong(text, 'an address such as clickhouse://user@10.0.0.1,10.0.0.2:8123/varve');
  const options = new URLSearchParams(query);
  for (const name of options.keys())
    if (name !== 'cluster' && name !== 'quorum')
      throw wrong(text, `only the options cluster and quorum, not '${name}'`);
  const [user = '', own] = credentials.split(':').map(decodeURIComponent);
  const named = database === '' ? 'varve' : decodeURIComponent(database);
  const cluster = options.get('cluster') ?? undefined;
  if (![named, cluster ?? named].every((name) => NAME.test(name)))
    throw wrong(text, 'names of letters, digits and _ for database and cluster');
  return {
    urls,
    user: user === '' ? 'default' : user,
    password: password ?? own ?? '',
    database: named,
    cluster,
    quorum: quorumOf(options.get('quorum'), text),
    text: `clickhouse${tls}://${hosts}/${named}`,
  };
}

function urlOf(host: string, isTls: boolean): string | undefined {
  const written = /:\d+$/.test(host) ? host : `${host}:${isTls ? TLS_PORT : PORT}`;
  const url = `${isTls ? 'https' : 'http'}://${written}`;
  return host !== '' && URL.canParse(url) ? url : undefined;
}

function quorumOf(given: string | null, text: string): number | undefined {
  if (given === null) return undefined;
  if (/^[1-9]$/.test(given)) return Number(given);
  throw wrong(text, 'a quorum of 1 to 9');
}

function wrong(text: string, wanted: string): Error {
  return new Error(`got '${text.replace(/\/\/[^@/]*@/, '//…@')}'; want ${wanted}.`);
}
