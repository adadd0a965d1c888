// Addresses in answers. They are absolute: the libraries behind Excel and Power BI refuse others.

import { decodePercent } from '../../http/routing/query.ts';
import type { RouteContext } from '../../http/routing/router.ts';
import { baseUrl } from '../../routes/request/base-url.ts';
import type { Service } from '../../routes/service/service.ts';
import type { EntitySet, Property } from './model/entity-sets.ts';
import { PREFIX } from './protocol.ts';
import { formatPosition, type Position } from './query/position.ts';

function rootOf({ ownScheme }: Service, { request }: RouteContext): string {
  return `${baseUrl(request, ownScheme)}${PREFIX}`;
}

/** The context of the service document. */
export function rootContext(service: Service, call: RouteContext): string {
  return `${rootOf(service, call)}/$metadata`;
}

/** The context of rows of a set; of one that comes by itself with `/$entity` behind it. */
export function setContext(
  service: Service,
  call: RouteContext,
  set: EntitySet,
  selected: readonly Property[],
): string {
  const names = selected.map(({ name }) => name).join(',');
  return `${rootContext(service, call)}#${set.name}${selected === set.properties ? '' : `(${names})`}`;
}

export interface PageEnd {
  readonly next: Position;
  readonly left: number | undefined;
}

/** The request again, but for what it says of its place. */
export function nextLink(service: Service, call: RouteContext, { name }: EntitySet, { next, left }: PageEnd): string {
  const replaced = new Set(['$skip', '$top', '$skiptoken', '$count']);
  const kept = call.request.query.split('&').filter((item) => {
    const [key = ''] = item.split('=', 1);
    return item !== '' && !replaced.has(decodePercent(key));
  });
  if (left !== undefined) kept.push(`$top=${left}`);
  kept.push(`$skiptoken=${formatPosition(next)}`);
  return `${rootOf(service, call)}/${name}?${kept.join('&')}`;
}
