// The rows of the tags: only those in sight are made, so that 10,000 tags scroll like ten.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { px } from '../controls/px.ts';
import { type BrowseRow, rowsBetween } from '../model/tags/browse-rows.ts';
import { isFavourite } from '../model/tags/favourites.ts';
import { type TagRef, tagKey } from '../model/tags/tag.ts';
import { commonStart } from '../model/tags/tag-names.ts';
import { addTags, openDialog, toggleTag } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { favourites, toggleFavourite } from '../user/favourites.ts';
import { useCurrentValues } from './current-values.ts';
import type { BrowsedTag } from './found-tags.ts';
import { ROW_PX, TagRow } from './tag-row.tsx';

const ROWS_BEYOND = 6;

interface ListProps {
  readonly rows: readonly BrowseRow[];
  /** By `tagKey`. */
  readonly byKey: ReadonlyMap<string, BrowsedTag>;
  readonly onToggleBranch: (path: string) => void;
}

export function TagList({ rows, byKey, onToggleBranch }: ListProps) {
  const host = useRef<HTMLDivElement>(null);
  const [{ topPx, heightPx }, setView] = useState({ topPx: 0, heightPx: 600 });
  const [active, setActive] = useState(0);
  const first = Math.max(0, Math.floor(topPx / ROW_PX) - ROWS_BEYOND);
  const last = Math.min(rows.length, Math.ceil((topPx + heightPx) / ROW_PX) + ROWS_BEYOND);
  const shown = rows.slice(first, last);
  const values = useCurrentValues(shown.flatMap((row) => refOf(row) ?? []));
  const chosen = useStore(app, ({ view }) => view.tags);
  const common = commonStart(shown.flatMap(({ tagName, label }) => (tagName === undefined ? [] : [label])));
  const at = Math.min(active, rows.length - 1);
  const { isStarred, star } = useStars(useKeptRow(rows, host, at, setActive));
  useMeasured(host, setView);
  const { act, addTo } = useAdding(rows, onToggleBranch);
  const moveTo = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setActive(next);
    scrollTo(host.current, next);
  };
  const pageRows = Math.max(1, Math.floor(heightPx / ROW_PX) - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = keyAction(event, { rows, at, pageRows, moveTo, act, addTo, star, onToggleBranch });
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  return (
    <div
      id="tag-list"
      class="tag-list"
      ref={host}
      role="tree"
      aria-label="Tags"
      aria-multiselectable
      aria-activedescendant={rows.length > 0 ? `row-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={(event) =>
        setView({ topPx: event.currentTarget.scrollTop, heightPx: event.currentTarget.clientHeight })
      }
    >
      <div class="tag-space" role="presentation" style={{ height: px(rows.length * ROW_PX) }}>
        {shown.map((row, offset) => (
          <TagRow
            key={row.path}
            index={first + offset}
            row={row}
            common={common}
            tag={byKey.get(keyOf(row))?.tag}
            point={values.get(keyOf(row))}
            place={chosen.findIndex((ref) => tagKey(ref) === keyOf(row))}
            isActive={first + offset === at}
            isStarred={isStarred(row)}
            onAct={(event) => {
              setActive(first + offset);
              if (event.shiftKey) addTo(row);
              else act(row);
            }}
            onToggleBranch={() => onToggleBranch(row.path)}
            onStar={() => star(row)}
            onDetails={() => openTag(row)}
          />
        ))}
      </div>
    </div>
  );
}

interface KeyTarget {
  readonly rows: readonly BrowseRow[];
  readonly at: number;
  readonly pageRows: number;
  readonly moveTo: (index: number) => void;
  readonly act: (row: BrowseRow) => void;
  readonly addTo: (row: BrowseRow) => void;
  readonly star: (row: BrowseRow) => void;
  readonly onToggleBranch: (path: string) => void;
}

/** What a key does in the tree; undefined for nothing. */
function keyAction(event: KeyboardEvent, target: KeyTarget): (() => void) | undefined {
  const { rows, at, pageRows, moveTo, act, addTo, star, onToggleBranch } = target;
  const row = rows[at];
  if (row === undefined || event.ctrlKey || event.metaKey) return undefined;
  if (event.shiftKey) return event.key === 'Enter' || event.key === ' ' ? () => addTo(row) : undefined;
  const canOpen = row.below > 0 && !row.isOpen;
  const actions: Record<string, (() => void) | undefined> = {
    ArrowDown: () => moveTo(at + 1),
    ArrowUp: () => moveTo(at - 1),
    PageDown: () => moveTo(at + pageRows),
    PageUp: () => moveTo(at - pageRows),
    Home: () => moveTo(0),
    End: () => moveTo(rows.length - 1),
    Enter: () => act(row),
    ' ': () => act(row),
    ArrowRight: canOpen ? () => onToggleBranch(row.path) : undefined,
    ArrowLeft: row.isOpen ? () => onToggleBranch(row.path) : () => moveTo(parentOf(rows, at)),
    f: row.tagName === undefined ? undefined : () => star(row),
    i: row.tagName === undefined ? undefined : () => openTag(row),
  };
  return actions[event.key];
}

function openTag(row: BrowseRow): void {
  const ref = refOf(row);
  if (ref !== undefined) openDialog({ kind: 'tag', ref });
}

/** The tag that the row is; undefined for a branch. */
function refOf({ dataset, tagName }: BrowseRow): TagRef | undefined {
  return tagName === undefined ? undefined : { dataset, name: tagName };
}

function keyOf(row: BrowseRow): string {
  const ref = refOf(row);
  return ref === undefined ? '' : tagKey(ref);
}

function parentOf(rows: readonly BrowseRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above--) if ((rows[above]?.level ?? 1) < level) return above;
  return index;
}

function scrollTo(host: HTMLElement | null, index: number): void {
  if (host === null) return;
  const top = index * ROW_PX;
  if (top < host.scrollTop) host.scrollTop = top;
  else if (top + ROW_PX > host.scrollTop + host.clientHeight) host.scrollTop = top + ROW_PX - host.clientHeight;
}

/** What choosing a row does, and choosing all from the one before that was chosen. */
function useAdding(rows: readonly BrowseRow[], onToggleBranch: (path: string) => void) {
  const anchor = useRef<string | undefined>(undefined);
  const act = (row: BrowseRow): void => {
    anchor.current = row.path;
    const ref = refOf(row);
    if (ref === undefined) onToggleBranch(row.path);
    else toggleTag(ref);
  };
  const addTo = (row: BrowseRow): void => {
    addTags(rowsBetween(rows, anchor.current, row.path).flatMap((one) => refOf(one) ?? []));
  };
  return { act, addTo };
}

/** `keepActive` is called before the rows change by a star. */
function useStars(keepActive: () => void) {
  const starred = useStore(favourites, ({ tags }) => tags);
  const isStarred = (row: BrowseRow): boolean => {
    const ref = refOf(row);
    return ref !== undefined && isFavourite(starred, ref);
  };
  const star = (row: BrowseRow): void => {
    const ref = refOf(row);
    if (ref === undefined) return;
    keepActive();
    toggleFavourite(ref);
  };
  return { isStarred, star };
}

/** Gives a function that keeps the active row, and what is in sight of a list that is scrolled, over the next change of the rows. */
function useKeptRow(
  rows: readonly BrowseRow[],
  host: { readonly current: HTMLElement | null },
  at: number,
  onActive: (index: number) => void,
): () => void {
  const kept = useRef<{ readonly path: string; readonly index: number } | undefined>(undefined);
  useLayoutEffect(() => {
    if (kept.current === undefined) return;
    const { path, index } = kept.current;
    kept.current = undefined;
    const now = rows.findIndex((row) => row.path === path);
    if (now < 0) return;
    onActive(now);
    // At the top the group shall be seen to come.
    if (host.current !== null && host.current.scrollTop > 0) host.current.scrollTop += (now - index) * ROW_PX;
    scrollTo(host.current, now);
  }, [rows]);
  return () => {
    const path = rows[at]?.path;
    kept.current = path === undefined ? undefined : { path, index: at };
  };
}

function useMeasured(
  host: { readonly current: HTMLElement | null },
  onMeasure: (view: { topPx: number; heightPx: number }) => void,
): void {
  const report = useRef(onMeasure);
  report.current = onMeasure;
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const measure = (): void => report.current({ topPx: element.scrollTop, heightPx: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [host]);
}
