// The operations that give values: of one time, and of the steps of a range.

import type { Route, RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';
import { createPacer } from '../../process/pacer.ts';
import type { Service } from '../../routes/service/service.ts';
import { evaluate, selectSeries } from './evaluation/evaluate.ts';
import { Notices } from './evaluation/notices.ts';
import { one, type Parameters, parametersOf, required } from './form-parameters.ts';
import { TIMED_OUT } from './prometheus-problems.ts';
import type { Query, SeriesQuery } from './promql/promql.ts';
import { parsePromql } from './promql/promql-parser.ts';
import { parseDuration, parseMs, type StepGrid, stepsOf, stepTime } from './promql/steps.ts';
import { formatSample, sendData, streamSeries } from './series-writer.ts';

/** What each time takes while the states of a series are found: the time and eleven numbers. */
const STATE_BYTES = 96;
/** What each step takes besides: where its times are, the value, and whether there is one. */
const STEP_BYTES = 17;

export function queryRoutes(service: Service): Route[] {
  return (['GET', 'POST'] as const).flatMap((method) => [
    { method, pattern: '/prometheus/api/v1/query', handle: (call) => queryAt(service, call) },
    { method, pattern: '/prometheus/api/v1/query_range', handle: (call) => queryRange(service, call) },
  ]);
}

async function queryAt(service: Service, call: RouteContext): Promise<void> {
  const parameters = await parametersOf(call);
  const query = parsePromql(required(parameters, 'query'));
  const time = one(parameters, 'time');
  const timeMs = time === undefined || time === '' ? Math.floor(service.nowMs()) : parseMs('time', time);
  if (query.kind === 'number') {
    sendData(call.response, { resultType: 'scalar', result: [timeMs / 1000, formatSample(query.value)] });
    return;
  }
  const steps = { startMs: timeMs, stepMs: 1, count: 1 };
  await answer(service, call, query, { type: 'vector', steps, ...boundsIn(service, parameters) });
}

async function queryRange(service: Service, call: RouteContext): Promise<void> {
  const parameters = await parametersOf(call);
  const query = parsePromql(required(parameters, 'query'));
  const steps = stepsIn(parameters);
  const bounds = boundsIn(service, parameters);
  if (query.kind !== 'number') return answer(service, call, query, { type: 'matrix', steps, ...bounds });
  const text = formatSample(query.value);
  const values = Array.from({ length: steps.count }, (_, i) => [stepTime(steps, i) / 1000, text]);
  sendData(call.response, { resultType: 'matrix', result: [{ metric: {}, values }] });
}

function stepsIn(parameters: Parameters): StepGrid {
  const startMs = parseMs('start', required(parameters, 'start'));
  const endMs = parseMs('end', required(parameters, 'end'));
  return stepsOf(startMs, endMs, parseDuration(`'step'`, required(parameters, 'step')));
}

/** About what is held of one series of a query at all steps. A stretch has a time where it begins, too. */
function memoryOf({ over }: SeriesQuery, { count }: StepGrid): number {
  return ((over === undefined ? 1 : 2) * STATE_BYTES + STEP_BYTES) * count;
}

/** How long the query may take, and how long a point is in force: as the request says, or the settings. */
function boundsIn(service: Service, parameters: Parameters): Bounds {
  const [timeout, lookBack] = [one(parameters, 'timeout'), one(parameters, 'lookback_delta')];
  const staleMs = service.prometheusStaleMs ?? Number.POSITIVE_INFINITY;
  return {
    timeoutMs: timeout === undefined ? Number.POSITIVE_INFINITY : parseDuration(`'timeout'`, timeout),
    staleMs: lookBack === undefined ? staleMs : parseDuration(`'lookback_delta'`, lookBack),
  };
}

interface Bounds {
  readonly timeoutMs: number;
  readonly staleMs: number;
}

interface Asked extends Bounds {
  readonly type: 'vector' | 'matrix';
  readonly steps: StepGrid;
}

async function answer(
  service: Service,
  call: RouteContext,
  query: Query & { kind: 'series' },
  { type, steps, timeoutMs, staleMs }: Asked,
): Promise<void> {
  const { request, response } = call;
  const notices = new Notices();
  const pacer = createPacer();
  const isAborted = (): boolean => request.aborted;
  const endMs = performance.now() + timeoutMs;
  const checkTime = (): void => {
    if (performance.now() > endMs) throw timedOut(timeoutMs);
  };
  const holdsBeyondNow = type === 'vector';
  const evaluation = { service, call, steps, holdsBeyondNow, staleMs, notices, pacer, checkTime, isAborted };
  const names = await selectSeries(query, evaluation);
  request.memory.take(memoryOf(query, steps));
  const warnings = (): readonly string[] => notices.texts;
  await streamSeries(evaluate(query, names, evaluation), steps, type, { response, pacer, isAborted, warnings });
}

function timedOut(timeoutMs: number): ProblemError {
  const detail = `The query took longer than its 'timeout' of ${timeoutMs / 1000} s.`;
  return new ProblemError(503, detail, { key: TIMED_OUT });
}
