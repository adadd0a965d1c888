// The tags of a dataset: searched, as a list or a tree, users' or the server's own.

import { useMemo, useState } from 'preact/hooks';
import { SYSTEM_PREFIX, type TagDefinition } from '../model/tag.ts';
import { flatRows, type ListedTag, searchTags, treeRows } from '../model/tag-tree.ts';
import { addTag } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { TagList } from './tag-list.tsx';

export interface BrowsedTag extends ListedTag {
  readonly tag: TagDefinition;
}

type Side = 'User' | 'System';
type Form = 'tree' | 'list';

export function TagBrowser({ dataset }: { readonly dataset: string }) {
  const listing = useStore(app, ({ listings }) => listings.get(dataset));
  const [text, setText] = useState('');
  const [side, setSide] = useState<Side>('User');
  const [form, setForm] = useState<Form>('tree');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const tags = useMemo(() => listTags(listing?.[side] ?? [], side), [listing, side]);
  const found = useMemo(() => searchTags(tags, text), [tags, text]);
  const rows = useMemo(() => {
    if (form === 'list' || side === 'System') return flatRows(found);
    return treeRows(found, (path) => text.trim() !== '' || open.has(path));
  }, [found, form, open, side, text]);
  const byName = useMemo(() => new Map(tags.map((tag) => [tag.name, tag])), [tags]);
  const toggle = (path: string): void => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    setOpen(next);
  };
  return (
    <section class="tags" aria-label={`Tags of ${dataset}`}>
      <SearchField
        text={text}
        onText={setText}
        count={found.length}
        onEnter={() => {
          const [first] = found;
          if (text.trim() !== '' && first) addTag({ dataset, name: first.name });
        }}
      />
      <div class="tag-filters">
        <Switch name="Whose" value={side} choices={['User', 'System']} onChoice={setSide} />
        <Switch name="Form" value={form} choices={['tree', 'list']} onChoice={setForm} />
      </div>
      <TagList dataset={dataset} rows={rows} byName={byName} onToggleBranch={toggle} />
    </section>
  );
}

function listTags(tags: readonly TagDefinition[], side: Side): BrowsedTag[] {
  const prefix = side === 'System' ? SYSTEM_PREFIX : '';
  return tags.map((tag) => ({ name: `${prefix}${tag.n}`, label: tag.n, tag }));
}

interface SearchProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly count: number;
  readonly onEnter: () => void;
}

function SearchField({ text, onText, count, onEnter }: SearchProps) {
  return (
    <div class="search">
      <input
        id="tag-search"
        type="search"
        placeholder="Search tags"
        aria-label="Search tags"
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter();
          if (event.key === 'ArrowDown') document.querySelector<HTMLElement>('#tag-list')?.focus();
        }}
      />
      <output aria-label="Tags found">{count}</output>
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
