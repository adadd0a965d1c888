// One row of the tag list: a branch, or a tag with its value in force now, its star and the way to its details.

import { Icon, type IconName } from '../controls/icons.tsx';
import { MiddleText } from '../controls/middle-text.tsx';
import { px } from '../controls/px.ts';
import { Swatch } from '../controls/swatch.tsx';
import type { BrowseRow } from '../model/tags/browse-rows.ts';
import type { TagDefinition } from '../model/tags/tag.ts';
import { formatAge } from '../model/time/duration-text.ts';
import type { SeriesPoint } from '../model/trend/series.ts';
import { formatValue, isGood, qualityText } from '../model/values/value-text.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';

export const ROW_PX = 26;

interface RowProps {
  readonly index: number;
  readonly row: BrowseRow;
  /** What the names beside it begin with. */
  readonly common: string;
  readonly tag: TagDefinition | undefined;
  readonly point: SeriesPoint | undefined;
  /** In the trend; -1 when it is not in it. */
  readonly place: number;
  readonly isActive: boolean;
  readonly isStarred: boolean;
  readonly onAct: (event: MouseEvent) => void;
  readonly onToggleBranch: () => void;
  readonly onStar: () => void;
  readonly onDetails: () => void;
}

export function TagRow({ index, row, common, tag, point, place, isActive, isStarred, ...on }: RowProps) {
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
      onClick={on.onAct}
    >
      <Twist row={row} onToggle={on.onToggleBranch} />
      {row.tagName === undefined ? null : <Swatch place={place} />}
      {row.tagName === undefined ? (
        <span class="label">{row.label}</span>
      ) : (
        <MiddleText class="label" text={row.label} common={common} />
      )}
      {row.tagName === undefined ? <span class="below">{row.below}</span> : null}
      {tag === undefined || point === undefined ? null : <Value tag={tag} point={point} />}
      {row.tagName === undefined ? null : (
        <>
          {isStarred ? <span class="hidden">Favourite</span> : null}
          <RowButton
            class={isStarred ? 'star on' : 'star'}
            title={isStarred ? 'Take the star off (F)' : 'Favourite (F)'}
            icon="star"
            onPress={on.onStar}
          />
          <RowButton class="details" title="Details (I)" icon="info" onPress={on.onDetails} />
        </>
      )}
    </div>
  );
}

interface ButtonProps {
  readonly class: string;
  readonly title: string;
  readonly icon: IconName;
  readonly onPress: () => void;
}

/** For the pointer; the tree has keys for the same. */
function RowButton({ class: className, title, icon, onPress }: ButtonProps) {
  return (
    <span
      class={className}
      aria-hidden="true"
      title={title}
      onClick={(event) => {
        event.stopPropagation();
        onPress();
      }}
    >
      <Icon name={icon} />
    </span>
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
