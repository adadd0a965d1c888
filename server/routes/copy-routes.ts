// The operation that shows how the copies of datasets at a centre are doing.

import type { Caller } from '../auth/rules/caller.ts';
import type { Route } from '../http/routing/router.ts';
import type { CopySnapshot } from '../metrics/copy-figures.ts';
import { sendJson } from './answer/answers.ts';
import type { Service } from './service/service.ts';

export function copyRoutes(service: Service): Route[] {
  return [
    {
      method: 'GET',
      pattern: '/api/copies',
      handle({ response, caller }) {
        sendJson(response, 200, { copies: visibleCopies(service, caller) });
      },
    },
  ];
}

/** Copies of datasets that the caller may read. */
export function visibleCopies({ copies }: Service, caller: Pick<Caller, 'may'>): CopySnapshot[] {
  return (copies?.snapshots() ?? []).filter(({ dataset }) => caller.may('read', dataset));
}
