// Everything that the page shows, in one place; the cursor by itself, because it moves with the mouse.

import type { CallerRights, TagListing } from '../api/historian.ts';
import type { CalculatedRef, DatasetInfo, LineRef, TagRef } from '../model/tags/tag.ts';
import { ALL_TIME, resolveRange, type TimeWindow } from '../model/time/time-range.ts';
import type { Absence } from '../model/trend/absence.ts';
import type { EarlierSeries, Series } from '../model/trend/series.ts';
import { FIRST_VIEW, type ViewState } from '../model/trend/view-state.ts';
import { createStore } from './store.ts';

export type Dialog =
  | { readonly kind: 'tag'; readonly ref: TagRef }
  | { readonly kind: 'rename'; readonly ref: TagRef }
  | { readonly kind: 'axis'; readonly ref: LineRef }
  /** Without a series a new one. */
  | { readonly kind: 'calculated'; readonly ref: CalculatedRef | undefined }
  | { readonly kind: 'new-dataset' }
  | { readonly kind: 'dataset'; readonly dataset: string }
  | { readonly kind: 'views' }
  | { readonly kind: 'save-view' }
  | { readonly kind: 'account' }
  | { readonly kind: 'zone' }
  | { readonly kind: 'times' }
  | { readonly kind: 'compare' }
  | { readonly kind: 'shifts' }
  | { readonly kind: 'correct'; readonly ref: TagRef }
  | { readonly kind: 'states'; readonly ref: TagRef }
  | { readonly kind: 'export' }
  | { readonly kind: 'cursors' }
  | { readonly kind: 'copy' }
  | { readonly kind: 'annotation' }
  | { readonly kind: 'annotations' }
  | { readonly kind: 'sources' }
  | { readonly kind: 'help' };

export interface AppState {
  readonly view: ViewState;
  /** Undefined until they were read. */
  readonly datasets: readonly DatasetInfo[] | undefined;
  /** Points written a second, by dataset. */
  readonly rates: ReadonlyMap<string, number>;
  readonly listings: ReadonlyMap<string, TagListing>;
  readonly window: TimeWindow;
  readonly nowMs: number;
  /** What `series` was read for; the window may be another one while it is read, and where nobody answers. */
  readonly read: TimeWindow;
  /** By `tagKey`. */
  readonly series: ReadonlyMap<string, Series>;
  /** Series of the tags in the periods compared with, moved into the window. */
  readonly earlier: EarlierSeries;
  /** The status of each dataset of the trend. */
  readonly statuses: ReadonlyMap<string, Series>;
  /** Why tags of the trend show nothing, by `tagKey`. */
  readonly absences: ReadonlyMap<string, Absence>;
  readonly isLoading: boolean;
  readonly dialog: Dialog | undefined;
  readonly needsToken: boolean;
  /** Why the token that was sent is not taken; undefined when none was sent. */
  readonly tokenFault: string | undefined;
  /** Undefined until they were told. */
  readonly rights: CallerRights | undefined;
  /** Said to the user for a moment. */
  readonly notice: { readonly text: string; readonly kind: 'info' | 'fault' } | undefined;
  /** Undefined while the server answers. */
  readonly fault: string | undefined;
  readonly isSidebarOpen: boolean;
}

export const app = createStore<AppState>({
  view: FIRST_VIEW,
  datasets: undefined,
  rates: new Map(),
  listings: new Map(),
  window: resolveRange(FIRST_VIEW.range, Date.now()),
  nowMs: Date.now(),
  read: ALL_TIME,
  series: new Map(),
  earlier: new Map(),
  statuses: new Map(),
  absences: new Map(),
  isLoading: false,
  dialog: undefined,
  needsToken: false,
  tokenFault: undefined,
  rights: undefined,
  notice: undefined,
  fault: undefined,
  isSidebarOpen: false,
});

export interface Cursors {
  /** Under the pointer; undefined when it is nowhere. */
  readonly timeMs: number | undefined;
  /** The second cursor, which stays where it was put. */
  readonly markedMs: number | undefined;
  /** Time at which that one was before: with a pointer that is elsewhere by then, a range is what lies between two clicks. */
  readonly beforeMs: number | undefined;
  /** Cursors that stay, besides these; in order. */
  readonly pinsMs: readonly number[];
}

export const cursor = createStore<Cursors>({ timeMs: undefined, markedMs: undefined, beforeMs: undefined, pinsMs: [] });
