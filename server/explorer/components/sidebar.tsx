// Left of the trend: the datasets, and the tags of the chosen one.

import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { DatasetList } from './dataset-list.tsx';
import { TagBrowser } from './tag-browser.tsx';

export function Sidebar() {
  const dataset = useStore(app, ({ view }) => view.dataset);
  return (
    <nav class="sidebar" aria-label="Datasets and tags">
      <DatasetList />
      {dataset === undefined ? null : <TagBrowser key={dataset} dataset={dataset} />}
    </nav>
  );
}
