// The operations that tell what there is to know of a range, without its points.

import type { StatisticsResult } from '../../../engine/index.ts';
import { statisticsBodySchema } from '../../api/schemas/statistics.ts';
import { badParameter } from '../../api/validation/bad-parameter.ts';
import { readJsonBody } from '../../api/validation/json-body.ts';
import { requireObject } from '../../api/validation/validate.ts';
import { formatInstant } from '../../codec/scalars/timestamp.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import { createPacer } from '../../process/pacer.ts';
import { AnswerSink } from '../answer/answer-sink.ts';
import { JSON_HEADER } from '../answer/answers.ts';
import { paced } from '../answer/paced.ts';
import { datasetOf } from '../request/path-names.ts';
import { queryOf } from '../request/query-parameters.ts';
import { type ReadForm, toReadForm, toReadFormOfBody } from '../request/read-parameters.ts';
import { resolveStatistics } from '../request/statistics-parameters.ts';
import { nowInstant, type Service } from '../service/service.ts';
import { formatStatistics } from './statistics-answer.ts';

const PATTERN = '/api/datasets/{dataset}/statistics';

export function statisticsRoutes(service: Service): Route[] {
  return [
    { method: 'GET', pattern: PATTERN, handle: (call) => statisticsByQuery(service, call) },
    { method: 'POST', pattern: PATTERN, handle: (call) => statisticsByBody(service, call) },
  ];
}

function statisticsByQuery(service: Service, call: RouteContext): Promise<void> {
  const form = toReadForm(queryOf(service, call));
  if (form.tags.length === 0) throw badParameter("'tagname' is missing; name the tags.");
  return answer(service, call, form);
}

async function statisticsByBody(service: Service, call: RouteContext): Promise<void> {
  const body = requireObject(statisticsBodySchema, await readJsonBody(call.request, service.maxBodyBytes));
  await answer(service, call, toReadFormOfBody(body));
}

async function answer(service: Service, call: RouteContext, form: ReadForm): Promise<void> {
  const { request, response } = call;
  const { memory } = request;
  const asked = resolveStatistics(form, { now: nowInstant(service), isAborted: () => request.aborted, memory });
  const result = service.engine.statistics(datasetOf(call), asked);
  await result.settle();
  const sink = new AnswerSink(response, [JSON_HEADER]);
  const { start, end } = asked.range;
  sink.out.ascii(`{"s":"${formatInstant(start)}","e":"${formatInstant(end)}","tl":[`);
  try {
    await writeEntries(result, sink, asked.isAborted);
    if (request.aborted) return;
    sink.out.ascii(']}');
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

async function writeEntries(result: StatisticsResult, sink: AnswerSink, isAborted: () => boolean): Promise<void> {
  const pacer = createPacer();
  for (let i = 0; i < result.tagCount && !isAborted(); i++) {
    const statistics = await result.of(i);
    sink.out.utf8((i > 0 ? ',' : '') + formatStatistics(statistics));
    const waiting = paced(sink, pacer);
    if (waiting !== undefined) await waiting;
  }
}
