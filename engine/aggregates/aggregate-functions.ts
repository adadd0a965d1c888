// The functions that a read can ask for, by their names in OPC UA Part 13, and what each goes by. docs/aggregates.md says
// what they give.

/**
 * What a function looks at, in each interval:
 * - `raw`: the points in it, as they are;
 * - `simple`: these, and the values at its ends as far as the points next to them say (simple bounding values);
 * - `interpolated`: the line between usable points, whatever lies between them (interpolated bounding values);
 * - `state`: how long and how often there was each of several values.
 */
export type AggregateBasis = 'raw' | 'simple' | 'interpolated' | 'state';

/** `value`: a value of the tag, so one of its type; `number`: computed. */
export type AggregateKind = 'value' | 'number';

export interface AggregateFunction {
  readonly name: string;
  readonly basis: AggregateBasis;
  readonly kind: AggregateKind;
  /** Computes with numbers: texts and times have no such result. */
  readonly needsNumbers: boolean;
  /** Results carry the time of the point that they are. */
  readonly hasOwnTime: boolean;
}

function define(basis: AggregateBasis, names: string, traits: Partial<AggregateFunction> = {}): AggregateFunction[] {
  const plain = { basis, kind: 'number', needsNumbers: false, hasOwnTime: false } as const;
  return names.split(' ').map((name) => ({ name, ...plain, ...traits }));
}

const value = { kind: 'value' } as const;
const numbers = { needsNumbers: true } as const;
const ownTime = { hasOwnTime: true } as const;

const FUNCTIONS: readonly AggregateFunction[] = [
  ...define('interpolated', 'Interpolative', value),
  ...define('raw', 'Average', numbers),
  ...define('interpolated', 'TimeAverage Total', numbers),
  ...define('simple', 'TimeAverage2 Total2', numbers),
  ...define('raw', 'Minimum Maximum', { ...value, ...numbers }),
  ...define('raw', 'MinimumActualTime MaximumActualTime', { ...value, ...numbers, ...ownTime }),
  ...define('raw', 'Range', numbers),
  ...define('simple', 'Minimum2 Maximum2', { ...value, ...numbers }),
  ...define('simple', 'MinimumActualTime2 MaximumActualTime2', { ...value, ...numbers, ...ownTime }),
  ...define('simple', 'Range2', numbers),
  ...define('raw', 'Count NumberOfTransitions'),
  ...define('simple', 'DurationInStateZero DurationInStateNonZero', numbers),
  ...define('raw', 'Start End', { ...value, ...ownTime }),
  ...define('raw', 'Delta', numbers),
  ...define('simple', 'StartBound EndBound', value),
  ...define('simple', 'DeltaBounds', numbers),
  ...define('simple', 'DurationGood DurationBad PercentGood PercentBad'),
  ...define('raw', 'WorstQuality'),
  ...define('simple', 'WorstQuality2'),
  ...define('raw', 'StandardDeviationSample VarianceSample', numbers),
  ...define('raw', 'StandardDeviationPopulation VariancePopulation', numbers),
  ...define('state', 'StateDuration StateCount StatePercent'),
];

const FUNCTION_BY_NAME = new Map(FUNCTIONS.map((known) => [known.name.toLowerCase(), known]));

export const AGGREGATE_NAMES: readonly string[] = FUNCTIONS.map(({ name }) => name);

/** The function of a name in any case; undefined when there is none. */
export function findAggregate(name: string): AggregateFunction | undefined {
  return FUNCTION_BY_NAME.get(name.toLowerCase());
}
