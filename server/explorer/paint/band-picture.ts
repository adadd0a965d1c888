// What one band of the chart shows at a moment.

import type { TimeWindow } from '../model/time/time-range.ts';
import type { AxisSettings } from '../model/trend/axis-settings.ts';
import type { Band } from '../model/trend/bands.ts';
import type { Series } from '../model/trend/series.ts';
import type { StatusSpan } from '../model/trend/status-spans.ts';
import type { Colours } from './colours.ts';

export interface BandPicture {
  readonly window: TimeWindow;
  readonly nowMs: number;
  /** The part of the time axis that was read: nothing is drawn outside. */
  readonly read: TimeWindow;
  readonly band: Band;
  /** By the index of the member. */
  readonly series: ReadonlyMap<number, Series>;
  /** Series of each period compared with. */
  readonly earlier: ReadonlyMap<number, readonly (Series | undefined)[]>;
  readonly statuses: readonly StatusSpan[];
  /** What was set by hand, by the index of the member. */
  readonly settings: ReadonlyMap<number, AxisSettings>;
  readonly colours: Colours;
}
