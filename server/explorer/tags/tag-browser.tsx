// The tags of a dataset, or what the search finds in all of them: as a list or a tree, users' or the server's own.

import { useMemo, useState } from 'preact/hooks';
import { MOST_SEARCHED } from '../datasets/datasets.ts';
import { browseRows } from '../model/tags/browse-rows.ts';
import { FAVOURITES_PATH, favouriteRows } from '../model/tags/favourites.ts';
import { isSystemName, SYSTEM_PREFIX, type TagRef, tagKey } from '../model/tags/tag.ts';
import { flatRows, treeRows } from '../model/tags/tag-tree.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { favourites } from '../user/favourites.ts';
import type { FoundTags, Side } from './found-tags.ts';
import { TagList } from './tag-list.tsx';

type Form = 'tree' | 'list';

interface BrowserProps {
  readonly dataset: string;
  readonly text: string;
  readonly found: readonly FoundTags[];
  /** What is said of the search; undefined for nothing. */
  readonly note: string | undefined;
  readonly side: Side;
  readonly onSide: (side: Side) => void;
}

export function TagBrowser({ dataset, text, found, note, side, onSide }: BrowserProps) {
  const [form, setForm] = useState<Form>('tree');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const isSearching = text.trim() !== '';
  const starred = useStarred(dataset, side);
  const rows = useMemo(() => {
    const isOpen = (path: string): boolean => isSearching || open.has(path);
    const groups = found.map(({ dataset, tags }) => ({
      dataset,
      rows: form === 'list' || side === 'System' ? flatRows(tags) : treeRows(tags, isOpen),
      tagCount: tags.length,
    }));
    const others = browseRows(groups, dataset);
    return isSearching ? others : [...favouriteRows(starred, !open.has(FAVOURITES_PATH), labelOf), ...others];
  }, [found, form, open, side, isSearching, dataset, starred]);
  const byKey = useMemo(() => new Map(found.flatMap(({ tags }) => tags).map((tag) => [tagKey(tag), tag])), [found]);
  const toggle = (path: string): void => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    setOpen(next);
  };
  return (
    <section class="tags" aria-label={isSearching ? 'What the search found' : `Tags of ${dataset}`}>
      <div class="tag-filters">
        <Switch name="Whose" value={side} choices={['User', 'System']} onChoice={onSide} />
        <Switch name="Form" value={form} choices={['tree', 'list']} onChoice={setForm} />
      </div>
      <NothingFound found={found} text={text} dataset={dataset} note={note} />
      <TagList rows={rows} byKey={byKey} onToggleBranch={toggle} />
    </section>
  );
}

/** The favourites of a side of a dataset. */
function useStarred(dataset: string, side: Side): readonly TagRef[] {
  const tags = useStore(favourites, (state) => state.tags);
  return useMemo(
    () => tags.filter((ref) => ref.dataset === dataset && isSystemName(ref.name) === (side === 'System')),
    [tags, dataset, side],
  );
}

function labelOf(name: string): string {
  return isSystemName(name) ? name.slice(SYSTEM_PREFIX.length) : name;
}

/** Why the list is empty, and which datasets were left out. */
function NothingFound({ found, text, dataset, note }: Pick<BrowserProps, 'found' | 'text' | 'dataset' | 'note'>) {
  const isListed = useStore(app, ({ listings }) => listings.has(dataset));
  const datasets = useStore(app, (state) => state.datasets) ?? [];
  const isSearching = text.trim() !== '';
  const isEmpty = isListed && found.every(({ tags }) => tags.length === 0);
  const large = datasets.filter(({ n, c }) => c > MOST_SEARCHED && !found.some((one) => one.dataset === n));
  return (
    <div role="status" class="nothing-found">
      {note === undefined ? null : <p>{note}</p>}
      {isEmpty && isSearching && note === undefined ? <p>Nothing found for “{text.trim()}”.</p> : null}
      {isEmpty && !isSearching ? <p>No tags in {dataset} yet.</p> : null}
      {isSearching && large.length > 0 ? (
        <p>Not searched, for their many tags: {large.map(({ n }) => n).join(', ')}. Choose one to search it.</p>
      ) : null}
    </div>
  );
}

interface SwitchProps<T extends string> {
  readonly name: string;
  readonly value: T;
  readonly choices: readonly T[];
  readonly onChoice: (choice: T) => void;
}

function Switch<T extends string>({ name, value, choices, onChoice }: SwitchProps<T>) {
  return (
    <div class="segments tight" role="group" aria-label={name}>
      {choices.map((choice) => (
        <button key={choice} type="button" aria-pressed={choice === value} onClick={() => onChoice(choice)}>
          {choice === 'tree' || choice === 'list' ? `${choice[0]?.toUpperCase()}${choice.slice(1)}` : choice}
        </button>
      ))}
    </div>
  );
}
