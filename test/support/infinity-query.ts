// The Infinity data source of Grafana as far as the example needs it: the request that its back end makes of a query, and
// the rows that its selectors take out of the answer. An address with variables is filled in as Grafana's page does.

export interface InfinityQuery {
  readonly url: string;
  readonly url_options: {
    readonly method: string;
    readonly params: readonly { readonly key: string; readonly value: string }[];
  };
  readonly root_selector: string;
  readonly columns: readonly { readonly selector: string; readonly text: string; readonly type: string }[];
}

export type Row = Readonly<Record<string, unknown>>;

/** Base address and path, and the parameters sorted by key as Go encodes them. Throws for an unknown variable. */
export function infinityUrl(base: string, query: InfinityQuery, variables: Readonly<Record<string, string>>): string {
  const url = new URL(base + fillIn(query.url, variables));
  for (const { key, value } of query.url_options.params) url.searchParams.append(key, fillIn(value, variables));
  url.searchParams.sort();
  return url.href;
}

/** Sends the request and gives a row for each element below the root. Throws for another status than 200. */
export async function runInfinityQuery(
  base: string,
  query: InfinityQuery,
  variables: Readonly<Record<string, string>> = {},
): Promise<Row[]> {
  const answer = await fetch(infinityUrl(base, query, variables), {
    method: query.url_options.method,
    headers: {
      accept: 'application/json;q=0.9,text/plain',
      'accept-encoding': 'gzip',
      'user-agent': 'Go-http-client/1.1',
    },
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const root = select(await answer.json(), query.root_selector);
  if (!Array.isArray(root)) throw new Error(`'${query.root_selector}' is no array`);
  return root.map((element) => toRow(element, query));
}

function fillIn(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`the variable ${name} is not known`);
    return value;
  });
}

function toRow(element: unknown, query: InfinityQuery): Row {
  return Object.fromEntries(
    query.columns.map(({ selector, text, type }) => [text || selector, toCell(select(element, selector), type)]),
  );
}

/** Null for what is missing. Throws for what a column of the type cannot hold. */
function toCell(value: unknown, type: string): unknown {
  if (value === undefined || value === null) return null;
  if (type === 'timestamp') return toTime(value);
  if (typeof value !== type) throw new Error(`${JSON.stringify(value)} is no ${type}`);
  return value;
}

/** Milliseconds since 1970. */
function toTime(value: unknown): number {
  const timeMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(timeMs)) throw new Error(`${JSON.stringify(value)} is no time`);
  return timeMs;
}

/** What lies at a path of keys and indexes with dots between them; undefined when nothing does. */
function select(value: unknown, path: string): unknown {
  let found: unknown = value;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}
