// The search, first of all that the Tab key reaches: names, descriptions and fields, in all datasets.

import { useEffect } from 'preact/hooks';
import { listAllTags } from '../datasets/datasets.ts';
import { addTag } from '../state/actions.ts';
import type { FoundTags } from './found-tags.ts';

interface SearchProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly found: readonly FoundTags[];
}

export function SearchField({ text, onText, found }: SearchProps) {
  const isSearching = text.trim() !== '';
  useEffect(() => {
    if (isSearching) void listAllTags();
  }, [isSearching]);
  const count = found.reduce((sum, { tags }) => sum + tags.length, 0);
  const addFirst = (): void => {
    const [first] = found.flatMap(({ tags }) => tags.slice(0, 1));
    if (isSearching && first !== undefined) addTag({ dataset: first.dataset, name: first.name });
  };
  return (
    <search class="search">
      <input
        id="tag-search"
        type="search"
        placeholder="Search tags"
        aria-label="Search tags"
        title="Words of names and descriptions; TK00?.Level, *Level; Area=Filling, unit=bar, quality=bad"
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') addFirst();
          if (event.key === 'ArrowDown') document.querySelector<HTMLElement>('#tag-list')?.focus();
        }}
      />
      <output aria-label="Tags found">{count}</output>
    </search>
  );
}
