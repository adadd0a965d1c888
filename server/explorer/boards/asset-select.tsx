// Which asset a dashboard shows, of those that have the same tags as the one that it was made for.

import { useEffect } from 'preact/hooks';
import { refreshTags } from '../datasets/datasets.ts';
import { assetsLike } from '../model/views/asset.ts';
import type { BoardContent } from '../model/views/saved-view.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';

interface AssetProps {
  readonly content: BoardContent;
  readonly asset: string;
  readonly onAsset: (asset: string) => void;
}

export function AssetSelect({ content, asset, onAsset }: AssetProps) {
  const values = content.tiles.flatMap((tile) => (tile.kind === 'value' ? [tile.ref] : []));
  const dataset = values[0]?.dataset;
  const listing = useStore(app, ({ listings }) => (dataset === undefined ? undefined : listings.get(dataset)));
  useEffect(() => {
    if (dataset !== undefined && listing === undefined) void refreshTags(dataset);
  }, [dataset, listing === undefined]);
  const wanted = values.filter((ref) => ref.dataset === dataset).map(({ name }) => name);
  const found = assetsLike(content.asset ?? '', wanted, listing?.User.map(({ n }) => n) ?? []);
  const offered = found.includes(asset) ? found : [asset, ...found];
  return (
    <select aria-label="Asset" value={asset} onChange={(event) => onAsset(event.currentTarget.value)}>
      {offered.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}
