// The rows of the tags: only those in sight are made, so that 10,000 tags scroll like ten.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { BrowseRow } from '../model/browse-rows.ts';
import { formatAge } from '../model/duration-text.ts';
import type { SeriesPoint } from '../model/series.ts';
import { type TagDefinition, type TagRef, tagKey } from '../model/tag.ts';
import { formatValue, isGood, qualityText } from '../model/value-text.ts';
import { openDialog, toggleTag } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useCurrentValues } from '../state/current-values.ts';
import type { BrowsedTag } from '../state/found-tags.ts';
import { useStore } from '../state/store.ts';
import { Icon } from './icons.tsx';
import { MiddleText } from './middle-text.tsx';
import { px } from './px.ts';
import { Swatch } from './swatch.tsx';

const ROW_PX = 26;
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
  const at = Math.min(active, rows.length - 1);
  useMeasured(host, setView);
  const act = (row: BrowseRow): void => {
    const ref = refOf(row);
    if (ref === undefined) onToggleBranch(row.path);
    else toggleTag(ref);
  };
  const moveTo = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setActive(next);
    scrollTo(host.current, next);
  };
  const pageRows = Math.max(1, Math.floor(heightPx / ROW_PX) - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = keyAction(event, { rows, at, pageRows, moveTo, act, onToggleBranch });
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
          <Row
            key={row.path}
            index={first + offset}
            row={row}
            tag={byKey.get(keyOf(row))?.tag}
            point={values.get(keyOf(row))}
            place={chosen.findIndex((ref) => tagKey(ref) === keyOf(row))}
            isActive={first + offset === at}
            onAct={() => {
              setActive(first + offset);
              act(row);
            }}
            onToggleBranch={() => onToggleBranch(row.path)}
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
  readonly onToggleBranch: (path: string) => void;
}

/** What a key does in the tree; undefined for nothing. */
function keyAction(event: KeyboardEvent, target: KeyTarget): (() => void) | undefined {
  const { rows, at, pageRows, moveTo, act, onToggleBranch } = target;
  const row = rows[at];
  if (row === undefined || event.shiftKey || event.ctrlKey || event.metaKey) return undefined;
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

interface RowProps {
  readonly index: number;
  readonly row: BrowseRow;
  readonly tag: TagDefinition | undefined;
  readonly point: SeriesPoint | undefined;
  /** In the trend; -1 when it is not in it. */
  readonly place: number;
  readonly isActive: boolean;
  readonly onAct: () => void;
  readonly onToggleBranch: () => void;
  readonly onDetails: () => void;
}

function Row({ index, row, tag, point, place, isActive, onAct, onToggleBranch, onDetails }: RowProps) {
  const isChosen = place >= 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the tree has the focus and takes the keys
    <div
      id={`row-${index}`}
      role="treeitem"
      aria-level={row.level}
      aria-expanded={row.below > 0 ? row.isOpen : undefined}
      aria-selected={isChosen}
      class={`tag-row${isActive ? ' active' : ''}${isChosen ? ' chosen' : ''}`}
      style={{ top: px(index * ROW_PX), paddingLeft: px(6 + (row.level - 1) * 14) }}
      title={tag?.d === undefined ? row.tagName : `${row.tagName}\n${tag.d}`}
      onClick={onAct}
    >
      <Twist row={row} onToggle={onToggleBranch} />
      {row.tagName === undefined ? null : <Swatch place={place} />}
      {row.tagName === undefined ? (
        <span class="label">{row.label}</span>
      ) : (
        <MiddleText class="label" text={row.label} />
      )}
      {row.tagName === undefined ? <span class="below">{row.below}</span> : null}
      {tag === undefined || point === undefined ? null : <Value tag={tag} point={point} />}
      {row.tagName === undefined ? null : (
        <span
          class="details"
          aria-hidden="true"
          title="Details (I)"
          onClick={(event) => {
            event.stopPropagation();
            onDetails();
          }}
        >
          <Icon name="info" />
        </span>
      )}
    </div>
  );
}

function Twist({ row, onToggle }: { readonly row: BrowseRow; readonly onToggle: () => void }) {
  if (row.below === 0) return <span class="twist" />;
  return (
    <span
      class="twist"
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <Icon name={row.isOpen ? 'down' : 'right'} />
    </span>
  );
}

function Value({ tag, point }: { readonly tag: TagDefinition; readonly point: SeriesPoint }) {
  const nowMs = useStore(app, (state) => Math.floor(state.nowMs / 5000) * 5000 + 5000);
  const isFine = isGood(point.quality);
  return (
    <>
      <span class="value">{formatValue(tag, point.value)}</span>
      <span class="age">{formatAge(Math.max(0, nowMs - point.timeMs))}</span>
      {isFine ? null : (
        <span class="quality" title={qualityText(point.quality)}>
          <span class="hidden">{qualityText(point.quality)}</span>
        </span>
      )}
    </>
  );
}
