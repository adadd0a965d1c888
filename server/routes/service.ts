// What the routes share: the engine, and the settings that change answers.

import type { Engine, Instant } from '../../engine/index.ts';
import type { ValueStyle } from '../json/value-style.ts';
import type { LiveHub } from '../live/live-hub.ts';
import type { RequestFigures } from '../metrics/request-figures.ts';
import type { PageFiles } from './explorer-files.ts';

/** Points the answers of the reference product's live servers differ in (`--compat timebase`). */
export interface AnswerStyle {
  /** What a range read does without `boundary`. */
  readonly boundary: 'inside' | 'carry';
  readonly values: Pick<ValueStyle, 'booleans' | 'nulls'>;
  /** `keep`: creating a dataset that is there answers 200 and changes nothing, whatever the definition. */
  readonly existingDataset: 'conflict' | 'keep';
}

export interface Service {
  readonly engine: Engine;
  readonly nowMs: () => number;
  readonly style: AnswerStyle;
  /** What becomes of faulty points when the request has no preference. */
  readonly handling: 'strict' | 'lenient';
  readonly maxBodyBytes: number;
  /** Who listens to live data; of its own when absent. */
  readonly live?: LiveHub;
  /** What is counted of requests; nothing is when absent. */
  readonly requests?: RequestFigures;
  /** The Explorer page; absent when it is not built. */
  readonly explorer?: PageFiles | undefined;
}

const PLAIN_STYLE: AnswerStyle = {
  boundary: 'inside',
  values: { booleans: 'literal', nulls: 'null' },
  existingDataset: 'conflict',
};

const TIMEBASE_STYLE: AnswerStyle = {
  boundary: 'carry',
  values: { booleans: 'digit', nulls: 'omit' },
  existingDataset: 'keep',
};

export function answerStyle(compat: 'timebase' | undefined): AnswerStyle {
  return compat === 'timebase' ? TIMEBASE_STYLE : PLAIN_STYLE;
}

export function nowInstant(service: Service): Instant {
  return { ms: Math.floor(service.nowMs()), ticks: 0 };
}
