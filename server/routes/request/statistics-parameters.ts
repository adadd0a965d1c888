// The parameters of statistics, out of those of reads.

import { compareInstants, type StatisticsRequest } from '../../../engine/index.ts';
import { badParameter, oneOf } from '../../api/validation/bad-parameter.ts';
import { AGGREGATE_PARAMETER_NAMES, parseInterpolation, parseTreatUncertainAsBad } from './aggregate-parameters.ts';
import { CSV_PARAMETER_NAMES } from './csv-parameters.ts';
import type { ReadForm } from './read-parameters.ts';
import { resolveTimeRange } from './time-range.ts';

const UNFIT_NAMES = ['limit', 'points', 'boundary', 'format', 'as', 'exact'] as const;
const UNFIT_AGGREGATE_NAMES = AGGREGATE_PARAMETER_NAMES.filter(
  (name) => name !== 'interpolation' && name !== 'treatUncertainAsBad',
);

/** Throws a 400 for every parameter that is not as it should be, and for those that only reads have. */
export function resolveStatistics(
  form: ReadForm,
  { now, isAborted, memory }: Pick<StatisticsRequest, 'now' | 'isAborted' | 'memory'>,
): StatisticsRequest {
  refuseUnfit(form);
  const range = resolveTimeRange(form, now);
  if (range.kind !== 'range' || compareInstants(range.start, range.end) >= 0) {
    throw badParameter('Statistics need a start before the end, such as relativeStart=-1d; the end is not part of it.');
  }
  return {
    tags: form.tags,
    range: { start: range.start, end: range.end },
    skipMissing: oneOf('missing', form.missing, ['fail', 'skip']) === 'skip',
    interpolation: parseInterpolation(form.aggregates),
    treatUncertainAsBad: parseTreatUncertainAsBad(form.aggregates),
    now,
    isAborted,
    memory,
  };
}

function refuseUnfit(form: ReadForm): void {
  const name =
    UNFIT_NAMES.find((unfit) => form[unfit] !== undefined) ??
    UNFIT_AGGREGATE_NAMES.find((unfit) => form.aggregates[unfit] !== undefined) ??
    CSV_PARAMETER_NAMES.find((unfit) => form.csv[unfit] !== undefined) ??
    (form.after.length > 0 ? 'after' : undefined) ??
    (form.expressions.length > 0 ? 'expr' : undefined);
  if (name !== undefined) throw badParameter(`'${name}' does not go with statistics, which are of a whole range.`);
}
