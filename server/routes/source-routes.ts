// The operation that shows the sources: clients of brokers, collectors in this process, and clients that write over HTTP.

import type { Caller } from '../auth/rules/caller.ts';
import type { Route } from '../http/routing/router.ts';
import type { CollectorSnapshot } from '../metrics/collector-figures.ts';
import type { SourceSnapshot } from '../metrics/source-figures.ts';
import type { WriterSnapshot } from '../metrics/writer-figures.ts';
import { sendJson } from './answer/answers.ts';
import type { Service } from './service/service.ts';

export function sourceRoutes(service: Service): Route[] {
  return [
    {
      method: 'GET',
      pattern: '/api/sources',
      handle({ response, caller }) {
        sendJson(response, 200, {
          sources: visibleSources(service, caller),
          collectors: visibleCollectors(service, caller),
          writers: visibleWriters(service, caller),
        });
      },
    },
  ];
}

/** Sources of which the caller may read all datasets: topics and payloads tell of each of them. */
export function visibleSources({ sources }: Service, caller: Pick<Caller, 'may' | 'rights'>): SourceSnapshot[] {
  const all = sources?.snapshots() ?? [];
  const mayAll = caller.rights.datasets.includes('*');
  return all.filter(
    ({ datasets }) => mayAll || (datasets.length > 0 && datasets.every((name) => caller.may('read', name))),
  );
}

export function visibleCollectors({ collectors }: Service, caller: Pick<Caller, 'may'>): CollectorSnapshot[] {
  return (collectors?.snapshots() ?? []).filter(({ dataset }) => caller.may('read', dataset));
}

function visibleWriters({ writers }: Service, caller: Pick<Caller, 'may'>): WriterSnapshot[] {
  return (writers?.snapshots() ?? []).filter(({ dataset }) => caller.may('read', dataset));
}
