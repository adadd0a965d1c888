// A single value that is added to a dashboard: its dataset, and its tag, whose name the server proposes while it is typed.

import { useRef, useState } from 'preact/hooks';
import { readTags } from '../api/historian.ts';
import { serverNowMs } from '../api/http.ts';
import { withValueTile } from '../model/views/board-edit.ts';
import { notify, reportFault } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { useProposedNames } from '../tags/proposed-names.ts';
import { editBoard } from '../views/views.ts';

export function AddValue() {
  const datasets = useStore(app, (state) => state.datasets) ?? [];
  const looked = useStore(app, ({ view }) => view.dataset);
  const [chosen, setChosen] = useState<string>();
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  /** One after the other, in the order of asking. */
  const adding = useRef(Promise.resolve());
  // The page may be drawn before the datasets are known.
  const dataset = chosen ?? looked ?? datasets[0]?.n ?? '';
  const add = async (wanted: string): Promise<void> => {
    if (wanted === '' || !(await isThere(dataset, wanted))) return;
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
        <select value={dataset} onChange={(event) => setChosen(event.currentTarget.value)}>
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
      <ProposedNames dataset={dataset} typed={name} />
      <button type="submit" class="button">
        Add
      </button>
    </form>
  );
}

function ProposedNames({ dataset, typed }: { readonly dataset: string; readonly typed: string }) {
  return (
    <datalist id="board-tags">
      {useProposedNames(dataset, typed).map((one) => (
        <option key={one} value={one} />
      ))}
    </datalist>
  );
}

/** Asks the server for the tag alone, and tells when there is none. */
async function isThere(dataset: string, name: string): Promise<boolean> {
  try {
    const [found] = await readTags(dataset, [name], { endMs: serverNowMs() });
    if (found === undefined) notify(`There is no tag '${name}' in ${dataset}.`, 'fault');
    return found !== undefined;
  } catch (error) {
    reportFault(error);
    return false;
  }
}
