// Documents that are the same for everybody: what there is, and how it is made.

import type { RouteContext } from '../../http/routing/router.ts';
import { queryOf } from '../../routes/request/query-parameters.ts';
import { single } from '../../routes/request/read-parameters.ts';
import type { Service } from '../../routes/service/service.ts';
import { rootContext } from './links.ts';
import { ENTITY_SETS } from './model/entity-sets.ts';
import { metadataJson, metadataXml } from './model/metadata.ts';
import { checkVersion, headersOf, jsonHeaders, metadataForm, metadataLevel } from './protocol.ts';

export function sendServiceDocument(service: Service, call: RouteContext): void {
  const { request, response } = call;
  checkVersion(request);
  const level = metadataLevel(request, single(queryOf(service, call), '$format'));
  const value = ENTITY_SETS.map(({ name }) => ({ name, kind: 'EntitySet', url: name }));
  const context = level === 'none' ? {} : { '@odata.context': rootContext(service, call) };
  response.send(200, jsonHeaders(level), JSON.stringify({ ...context, value }));
}

export function sendMetadata(service: Service, call: RouteContext): void {
  const { request, response } = call;
  checkVersion(request);
  const format = single(queryOf(service, call), '$format');
  if (metadataForm(request, format) === 'xml') response.send(200, headersOf('application/xml'), metadataXml());
  else response.send(200, headersOf('application/json', '4.01'), metadataJson());
}
