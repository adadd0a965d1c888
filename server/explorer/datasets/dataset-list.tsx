// The datasets, with size, age and the rate at which points come in.

import { Icon } from '../controls/icons.tsx';
import type { DatasetInfo } from '../model/tags/tag.ts';
import { formatCount, formatSize, formatSpan } from '../model/time/duration-text.ts';
import { chooseDataset, openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { useMay } from '../user/account.ts';

export function DatasetList() {
  const datasets = useStore(app, (state) => state.datasets) ?? [];
  const rates = useStore(app, (state) => state.rates);
  const chosen = useStore(app, ({ view }) => view.dataset);
  const mayCreate = useMay('write');
  return (
    <section class="datasets" aria-labelledby="datasets-title">
      <div class="section-head">
        <h2 id="datasets-title">Datasets</h2>
        {mayCreate ? (
          <button
            type="button"
            class="button quiet icon-only"
            aria-label="New dataset"
            title="New dataset"
            onClick={() => openDialog({ kind: 'new-dataset' })}
          >
            <Icon name="plus" />
          </button>
        ) : null}
      </div>
      <ul>
        {datasets.map((dataset) => (
          <DatasetRow key={dataset.n} dataset={dataset} rate={rates.get(dataset.n)} isChosen={dataset.n === chosen} />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly dataset: DatasetInfo;
  readonly rate: number | undefined;
  readonly isChosen: boolean;
}

function DatasetRow({ dataset, rate, isChosen }: RowProps) {
  const { n, s, c, a } = dataset;
  const mayChange = useMay('admin');
  return (
    <li class={isChosen ? 'dataset chosen' : 'dataset'}>
      <button type="button" class="dataset-main" aria-pressed={isChosen} onClick={() => chooseDataset(n)}>
        <span class="name">{n}</span>
        <span class="facts">
          <span>{c === 1 ? '1 tag' : `${formatCount(c)} tags`}</span>
          <span>{formatSize(s)}</span>
          <span>{a > 0 ? formatSpan(a * 86_400_000) : 'empty'}</span>
          {rate === undefined ? null : <span title="points written a second">{formatCount(rate)}/s</span>}
        </span>
      </button>
      <button
        type="button"
        class="button quiet icon-only"
        aria-label={`Rules of dataset ${n}`}
        title={mayChange ? 'Rules, delete' : 'Rules'}
        onClick={() => openDialog({ kind: 'dataset', dataset: n })}
      >
        <Icon name={mayChange ? 'gear' : 'info'} />
      </button>
    </li>
  );
}
