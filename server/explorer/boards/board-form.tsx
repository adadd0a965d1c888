// What is added to a dashboard while it is edited: saved trends, single values, and the common time of its trends.

import { useState } from 'preact/hooks';
import { Field } from '../controls/field.tsx';
import { withAsset, withClockTile, withTextTile, withTrendTile } from '../model/views/board-edit.ts';
import type { BoardContent } from '../model/views/saved-view.ts';
import { useStore } from '../state/store.ts';
import { changeBoard, editBoard, views } from '../views/views.ts';
import { AddValue } from './add-value.tsx';
import { RangeSelect } from './board-bar.tsx';

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
