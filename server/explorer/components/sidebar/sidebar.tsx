// Left of the trend: the search over all datasets; the datasets, and the tags of the chosen one or those that were found.

import { useEffect, useState } from 'preact/hooks';
import { app } from '../../state/app/app-state.ts';
import { useStore } from '../../state/app/store.ts';
import { useFoundByQuality } from '../../state/datasets/found-by-quality.ts';
import type { Side } from '../../state/datasets/found-tags.ts';
import { CopyList } from './copy-list.tsx';
import { DatasetList } from './dataset-list.tsx';
import { SearchField } from './search-field.tsx';
import { SourceList } from './source-list.tsx';
import { TagBrowser } from './tag-browser.tsx';

export function Sidebar() {
  const dataset = useStore(app, ({ view }) => view.dataset);
  const isOpen = useStore(app, (state) => state.isSidebarOpen);
  const [text, setText] = useState('');
  const [side, setSide] = useState<Side>('User');
  const { found, note } = useFoundByQuality(dataset, text, side);
  useEffect(() => {
    if (isOpen) document.querySelector<HTMLElement>('#tag-search')?.focus();
  }, [isOpen]);
  const isSearching = text.trim() !== '';
  return (
    <nav id="sidebar" class="sidebar" aria-label="Datasets and tags">
      <SearchField text={text} onText={setText} found={found} />
      {isSearching ? null : <DatasetList />}
      {isSearching ? null : <SourceList />}
      {isSearching ? null : <CopyList />}
      {dataset === undefined ? null : (
        <TagBrowser
          key={dataset}
          dataset={dataset}
          text={text}
          found={found}
          note={note}
          side={side}
          onSide={setSide}
        />
      )}
    </nav>
  );
}
