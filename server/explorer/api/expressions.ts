// Reads of expressions, which the server calculates from tags of a dataset.

import type { CalculatedRef } from '../model/tags/tag.ts';
import type { AnswerColumns } from '../model/trend/series.ts';
import { type AggregateRequest, aggregateBody, datasetPath } from './historian.ts';
import { sendForJson } from './http.ts';

export interface ExpressionRequest {
  /** Undefined: the one value at the end, which is cheap. */
  readonly startMs?: number;
  readonly endMs: number;
  /** The expression is found of results of its tags over intervals. */
  readonly aggregate?: AggregateRequest;
  readonly signal?: AbortSignal;
}

export type Calculated = Pick<CalculatedRef, 'dataset' | 'expression'>;

/** A fault of the expression, and a tag that is missing, throw an `ApiError` that says it. */
export async function readExpression(
  { dataset, expression }: Calculated,
  { startMs, endMs, aggregate, signal }: ExpressionRequest,
): Promise<AnswerColumns> {
  const body = {
    expr: [expression],
    end: new Date(endMs).toISOString(),
    ...(startMs === undefined ? {} : { start: new Date(startMs).toISOString() }),
    ...(aggregate === undefined ? {} : aggregateBody(aggregate)),
    exact: 'string',
    format: 'columns',
  };
  const call = { method: 'POST' as const, body, ...(signal === undefined ? {} : { signal }) };
  const { tl } = await sendForJson<{ tl: { readonly d: AnswerColumns }[] }>(`${datasetPath(dataset)}/read`, call);
  return tl[0]?.d ?? { t: [], v: [], q: [] };
}
