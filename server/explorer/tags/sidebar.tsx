// Left of the trend: the search over all datasets; the datasets, and the tags of the chosen one or those that were found.

import { useEffect, useState } from 'preact/hooks';
import { CopyList } from '../datasets/copy-list.tsx';
import { DatasetList } from '../datasets/dataset-list.tsx';
import { SourceList } from '../sources/source-list.tsx';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { useFoundByQuality } from './found-by-quality.ts';
import type { Side } from './found-tags.ts';
import { SearchField } from './search-field.tsx';
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
