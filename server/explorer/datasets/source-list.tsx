// The brokers and collectors that bring points: loaded where there are any.

import { listSources } from '../api/sources.ts';
import { loadedPart } from '../controls/loaded-part.tsx';
import { useListed } from './use-listed.ts';

const SourceRows = loadedPart(async () => (await import('./source-rows.tsx')).SourceRows);

export function SourceList() {
  const [all] = useListed(listSources);
  if (all === undefined || all.sources.length + all.collectors.length === 0) return null;
  return <SourceRows {...all} />;
}
