// The bar of a dashboard: its name, the time of its trends, editing, and the full screen.

import type { ComponentChildren, RefObject } from 'preact';
import { Icon } from '../controls/icons.tsx';
import { copyText } from '../export/export.ts';
import { PRESETS, type TimeRange } from '../model/time/time-range.ts';
import { formatRange } from '../model/time/typed-range.ts';
import { openDialog } from '../state/actions.ts';
import { useStore } from '../state/store.ts';
import { shifts } from '../time-window/shifts.ts';
import { useMay } from '../user/account.ts';
import { assetInAddress, linkToView } from '../views/view-address.ts';
import { type Board, changeBoard, closeView, save, views } from '../views/views.ts';

interface BarProps {
  readonly board: Board;
  readonly range: TimeRange | 'as saved';
  readonly onRange: (range: TimeRange | 'as saved') => void;
  readonly host: RefObject<HTMLElement | null>;
  /** Stands behind the name. */
  readonly children?: ComponentChildren;
}

export function BoardBar({ board, range, onRange, host, children }: BarProps) {
  const { head, isEdited } = board;
  return (
    <div class="board-bar" role="group" aria-label="Dashboard">
      <h2>{head?.name ?? 'New dashboard'}</h2>
      {children}
      <div class="spacer" />
      {isEdited ? <EditButtons board={board} /> : <ViewButtons board={board} range={range} onRange={onRange} />}
      <button
        type="button"
        class="button"
        title="The dashboard alone, on the whole screen; Escape ends it"
        onClick={() => void toggleFullScreen(host.current)}
      >
        Full screen
      </button>
      <button type="button" class="button quiet icon-only" aria-label="Close the dashboard" onClick={closeView}>
        <Icon name="close" />
      </button>
    </div>
  );
}

async function toggleFullScreen(element: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement !== null) await document.exitFullscreen();
  else await element?.requestFullscreen();
}

function ViewButtons({ board, range, onRange }: Omit<BarProps, 'host' | 'children'>) {
  const { head } = board;
  const mayWrite = useMay('write');
  return (
    <>
      <RangeSelect
        label="Time of the trends"
        first="As saved"
        range={range === 'as saved' ? undefined : range}
        onRange={(chosen) => onRange(chosen ?? 'as saved')}
      />
      {head === undefined ? null : (
        <button
          type="button"
          class="button"
          onClick={() => void copyText(linkToView(head.id, assetInAddress()), 'The link was copied.')}
        >
          Copy link
        </button>
      )}
      {head?.editable === true ? (
        <button type="button" class="button" onClick={() => changeBoard({ isEdited: true })}>
          Edit
        </button>
      ) : null}
      {head?.editable !== true && mayWrite ? (
        <button type="button" class="button" onClick={() => openDialog({ kind: 'save-view' })}>
          Save a copy
        </button>
      ) : null}
    </>
  );
}

function EditButtons({ board }: { readonly board: Board }) {
  const isSaved = useStore(views, () => board.head !== undefined);
  const cancel = (): void => {
    if (isSaved) changeBoard({ content: board.saved, isEdited: false });
    else closeView();
  };
  return (
    <>
      {isSaved ? (
        <button type="button" class="button primary" onClick={() => void save()}>
          Save
        </button>
      ) : null}
      <button
        type="button"
        class={isSaved ? 'button' : 'button primary'}
        onClick={() => openDialog({ kind: 'save-view' })}
      >
        Save as…
      </button>
      <button type="button" class="button" onClick={cancel}>
        Cancel
      </button>
    </>
  );
}

const RANGES: readonly (readonly [text: string, range: TimeRange])[] = [
  ...PRESETS.map(({ label, from }) => [label, { from, to: 'now' }] as const),
  ['Today', { from: 'd', to: 'now' }],
  ['Yesterday', { from: 'yesterday', to: 'd' }],
  ['This week', { from: 'w', to: 'now' }],
];
const SHIFT_RANGES: readonly (readonly [text: string, range: TimeRange])[] = [
  ['This shift', { from: 'this shift', to: 'this shift' }],
  ['Previous shift', { from: 'previous shift', to: 'previous shift' }],
];

/** Such as one that a program has saved. */
function ownText(range: TimeRange): string {
  const { from, to } = formatRange(range);
  return `${from} → ${to}`;
}

interface RangeProps {
  readonly label: string;
  /** What no range is called. */
  readonly first: string;
  readonly range: TimeRange | undefined;
  readonly onRange: (range: TimeRange | undefined) => void;
}

export function RangeSelect({ label, first, range, onRange }: RangeProps) {
  const hasShifts = useStore(shifts, ({ plan }) => plan !== undefined);
  const offered = [...RANGES, ...(hasShifts ? SHIFT_RANGES : [])];
  const isSame = (one: TimeRange): boolean => one.from === range?.from && one.to === range?.to;
  const own = range === undefined || offered.some(([, one]) => isSame(one)) ? [] : [[ownText(range), range] as const];
  const all = [...offered, ...own];
  return (
    <select
      aria-label={label}
      value={all.find(([, one]) => isSame(one))?.[0] ?? ''}
      onChange={(event) => onRange(all.find(([text]) => text === event.currentTarget.value)?.[1])}
    >
      <option value="">{first}</option>
      {all.map(([text]) => (
        <option key={text} value={text}>
          {text}
        </option>
      ))}
    </select>
  );
}
