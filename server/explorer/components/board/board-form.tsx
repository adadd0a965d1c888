// What is added to a dashboard while it is edited: saved trends, single values, and the common time of its trends.

import { useMemo, useRef, useState } from 'preact/hooks';
import type { TagListing } from '../../api/historian.ts';
import { searchTags } from '../../model/tags/tag-search.ts';
import { withAsset, withClockTile, withTextTile, withTrendTile, withValueTile } from '../../model/views/board-edit.ts';
import type { BoardContent } from '../../model/views/saved-view.ts';
import { notify } from '../../state/app/actions.ts';
import { app } from '../../state/app/app-state.ts';
import { useStore } from '../../state/app/store.ts';
import { refreshTags } from '../../state/datasets/datasets.ts';
import { changeBoard, views } from '../../state/views/views.ts';
import { Field } from '../controls/field.tsx';
import { RangeSelect } from './board-bar.tsx';

/** Names that the browser proposes, of those that go with what is typed. */
const MOST_PROPOSED = 100;

export function BoardForm({ content }: { readonly content: BoardContent }) {
  return (
    <div class="board-form" role="group" aria-label="Add to the dashboard">
      <AddTrend />
      <AddValue />
      <AddPlain />
      <AssetField asset={content.asset ?? ''} />
      <div class="field">
        <span>Time of all trends</span>
        <RangeSelect
          label="Time of all trends"
          first="Each its own"
          range={content.range}
          onRange={(range) => changeBoard({ content: { ...content, range } })}
        />
      </div>
    </div>
  );
}

/** Goes by what the dashboard is now: two changes may come before the page is drawn again. */
function editBoard(edit: (content: BoardContent) => BoardContent): void {
  const { board } = views.get();
  if (board !== undefined) changeBoard({ content: edit(board.content) });
}

function AddTrend() {
  const heads = useStore(views, (state) => state.heads) ?? [];
  const trends = heads.filter(({ kind }) => kind === 'trend');
  const add = (id: string): void => {
    if (id !== '') editBoard((content) => withTrendTile(content, id));
  };
  return (
    <label class="field">
      <span>Add a saved trend</span>
      <select value="" onChange={(event) => add(event.currentTarget.value)}>
        <option value="">{trends.length === 0 ? 'No trend is saved on the server yet' : 'Choose…'}</option>
        {trends.map(({ id, folder, name }) => (
          <option key={id} value={id}>
            {folder === '' ? name : `${folder} / ${name}`}
          </option>
        ))}
      </select>
    </label>
  );
}

function namesOf(listing: TagListing | undefined): string[] {
  const system = (listing?.System ?? []).map(({ n }) => `$System.${n}`);
  return [...(listing?.User ?? []).map(({ n }) => n), ...system];
}

function AddPlain() {
  const [text, setText] = useState('');
  const add = (event: Event): void => {
    event.preventDefault();
    if (text.trim() === '') return;
    editBoard((content) => withTextTile(content, text.trim()));
    setText('');
  };
  return (
    <form class="add-value" onSubmit={add}>
      <Field label="Add a text" value={text} onValue={setText} />
      <button type="submit" class="button">
        Add text
      </button>
      <button type="button" class="button" onClick={() => editBoard(withClockTile)}>
        Add a clock
      </button>
    </form>
  );
}

function AssetField({ asset }: { readonly asset: string }) {
  return (
    <Field
      label="Made for the asset"
      value={asset}
      onValue={(text) => editBoard((content) => withAsset(content, text))}
      hint="such as TK001: then it can be shown of TK002"
    />
  );
}

function proposedNames(names: readonly string[], typed: string): string[] {
  const found = searchTags(
    names.map((name) => ({ name, label: name })),
    typed,
  );
  return found.slice(0, MOST_PROPOSED).map(({ name }) => name);
}

function AddValue() {
  const datasets = useStore(app, (state) => state.datasets) ?? [];
  const chosen = useStore(app, ({ view }) => view.dataset);
  const [dataset, setDataset] = useState(chosen ?? datasets[0]?.n ?? '');
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  /** One after the other, in the order of asking. */
  const adding = useRef(Promise.resolve());
  const listing = useStore(app, ({ listings }) => listings.get(dataset));
  const proposed = useMemo(() => proposedNames(namesOf(listing), name), [listing, name]);
  const choose = (next: string): void => {
    setDataset(next);
    if (!app.get().listings.has(next)) void refreshTags(next);
  };
  const add = async (wanted: string): Promise<void> => {
    if (wanted === '') return;
    if (!app.get().listings.has(dataset)) await refreshTags(dataset);
    const known = app.get().listings.get(dataset);
    if (known === undefined) return; // the fault was told
    if (!namesOf(known).includes(wanted)) return notify(`There is no tag '${wanted}' in ${dataset}.`, 'fault');
    editBoard((content) => withValueTile(content, { dataset, name: wanted }));
    setName((current) => (current === wanted ? '' : current));
  };
  return (
    <form
      class="add-value"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = field.current?.value ?? '';
        adding.current = adding.current.then(() => add(wanted));
      }}
    >
      <label class="field">
        <span>Dataset</span>
        <select value={dataset} onChange={(event) => choose(event.currentTarget.value)}>
          {datasets.map(({ n }) => (
            <option key={n} value={n}>
              {n}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Add the value of a tag</span>
        <input
          ref={field}
          list="board-tags"
          value={name}
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <datalist id="board-tags">
        {proposed.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <button type="submit" class="button">
        Add
      </button>
    </form>
  );
}
