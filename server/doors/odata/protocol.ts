// What OData asks of requests and answers whatever they are about: versions, formats, errors.

import { badParameter } from '../../api/validation/bad-parameter.ts';
import type { HeaderList, HttpRequest, ProblemForm } from '../../http/contract/http-server.ts';
import { statusTitle } from '../../http/status-titles.ts';
import { ProblemError } from '../../problem.ts';

export const PREFIX = '/odata';
const VERSION = '4.0';
const JSON_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);
const XML_TYPES: ReadonlySet<string> = new Set(['application/xml', 'application/*', '*/*', 'text/xml']);

/** Whether an answer says which context it is of. */
export type MetadataLevel = 'minimal' | 'none';

export function headersOf(type: string, version = VERSION): HeaderList {
  return [
    ['Content-Type', type],
    ['OData-Version', version],
    ['Vary', 'Accept'],
  ];
}

export function jsonHeaders(level: MetadataLevel): HeaderList {
  return headersOf(`application/json;odata.metadata=${level}`);
}

/** Throws a 400 for a client that does not take version 4: Power Query names versions 3 and 4 in two headers. */
export function checkVersion(request: HttpRequest): void {
  const most = request.header('odata-maxversion');
  if (most === undefined || Number.parseFloat(most) >= 4) return;
  throw badParameter(`OData-MaxVersion is '${most.slice(0, 20)}'; this feed speaks OData 4.0.`);
}

/** Throws a 406 where JSON is not among what the client takes. */
export function metadataLevel(request: HttpRequest, format: string | undefined): MetadataLevel {
  const accepted = acceptedOf(request, format).filter(({ type }) => JSON_TYPES.has(type));
  const [best] = accepted.sort((a, b) => b.weight - a.weight);
  if (best !== undefined) return best.parameters.includes('metadata=none') ? 'none' : 'minimal';
  throw notAcceptable('JSON (application/json)');
}

/** The form of the metadata document: JSON is for who likes it better, and does not stop at version 4.0. Throws a 406. */
export function metadataForm(request: HttpRequest, format: string | undefined): 'xml' | 'json' {
  const accepted = acceptedOf(request, format);
  const weightOf = (types: ReadonlySet<string>): number =>
    accepted.reduce((most, { type, weight }) => (types.has(type) ? Math.max(most, weight) : most), 0);
  const [xml, json] = [weightOf(XML_TYPES), weightOf(JSON_TYPES)];
  if (format === undefined && request.header('odata-maxversion')?.trim() === VERSION) return 'xml';
  if (json > xml) return 'json';
  if (xml > 0) return 'xml';
  throw notAcceptable('XML (application/xml) and JSON (application/json)');
}

interface Accepted {
  readonly type: string;
  readonly weight: number;
  readonly parameters: readonly string[];
}

const SHORT_FORMATS: Readonly<Record<string, string>> = { json: 'application/json', xml: 'application/xml' };

function acceptedOf(request: HttpRequest, format: string | undefined): Accepted[] {
  const header = format === undefined ? request.header('accept')?.trim() || '*/*' : (SHORT_FORMATS[format] ?? format);
  const accepted = header.toLowerCase().split(',').map(toAccepted);
  return accepted.filter(({ weight }) => weight > 0);
}

function toAccepted(item: string): Accepted {
  const [type = '', ...parameters] = item.split(';').map((part) => part.trim().replace(/^odata\.metadata/, 'metadata'));
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, weight: weight === undefined ? 1 : Number(weight) || 0, parameters };
}

function notAcceptable(forms: string): ProblemError {
  return new ProblemError(406, `Accept and $format leave nothing that this is given in: ${forms}.`);
}

export const ODATA_PROBLEMS: ProblemForm = {
  prefix: PREFIX,
  render({ status, message, headers, errors, key }) {
    const code = key?.replace(/^Error\./, '') ?? statusTitle(status).replaceAll(' ', '');
    const details = errors.slice(0, 10).map(({ path, message: text }) => ({ code, target: path, message: text }));
    const body = JSON.stringify({ error: { code, message, ...(details.length > 0 && { details }) } });
    // Excel and Power BI show a token as the password of any user.
    const challenge: HeaderList = status === 401 ? [['WWW-Authenticate', 'Basic realm="Varve", charset="UTF-8"']] : [];
    return { status, headers: [...jsonHeaders('minimal'), ...headers, ...challenge], body };
  },
};
