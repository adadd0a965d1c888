// The way to the page of sources, and a line for each broker and collector: loaded where there are any.

import { listSources } from '../api/sources.ts';
import { Icon } from '../controls/icons.tsx';
import { loadedPart } from '../controls/loaded-part.tsx';
import { useListed } from '../controls/use-listed.ts';
import { openDialog } from '../state/actions.ts';

const SourceLines = loadedPart(async () => (await import('./source-lines.tsx')).SourceLines);

export function SourceList() {
  const [all] = useListed(listSources);
  return (
    <section aria-label="Sources">
      <div class="section-head">
        <h2>Sources</h2>
        <button
          type="button"
          class="button quiet icon-only"
          aria-label="All sources"
          title="All sources, and how one is connected"
          onClick={() => openDialog({ kind: 'sources' })}
        >
          <Icon name="info" />
        </button>
      </div>
      {all === undefined || all.sources.length + all.collectors.length === 0 ? null : <SourceLines {...all} />}
    </section>
  );
}
