// Requests as Power Query sends them, which is what Excel and Power BI read OData with: headers of public traces.

import type { HttpAnswer } from '../../../support/http-client.ts';
import { type AccessServer, bearer } from '../../auth/support/access-server.ts';

const MASHUP = {
  'user-agent': 'Microsoft.Data.Mashup (https://go.microsoft.com/fwlink/?LinkID=304225)',
  'accept-encoding': 'gzip, deflate',
  'odata-maxversion': '4.0',
  maxdataserviceversion: '3.0',
};
const FEED =
  'application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/xml;q=0.7,text/plain;q=0.7';

export interface Feed<T> {
  readonly '@odata.context'?: string;
  readonly '@odata.count'?: number;
  readonly '@odata.nextLink'?: string;
  readonly value: readonly T[];
}

export interface Point {
  readonly Dataset: string;
  readonly Tag: string;
  readonly Time: string;
  readonly Value: number | string | null;
  readonly Text: string | null;
  readonly Quality: number;
}

/** `query` is encoded as Power Query does it: blanks and quotes, but not the dollar signs. */
export function mashup({ http }: AccessServer, path: string, token?: string): Promise<HttpAnswer> {
  const headers = { ...MASHUP, accept: path.includes('$metadata') ? 'application/xml' : FEED };
  return http.send('GET', path, { headers: { ...headers, ...(token && bearer(token)) } });
}

export function odata(set: string, options: Readonly<Record<string, string | number>> = {}): string {
  const query = Object.entries(options).map(([name, value]) => `$${name}=${encodeURIComponent(value)}`);
  return `/odata/${set}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}
