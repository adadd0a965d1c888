// The change feed of a dataset: all that has changed since a position, at once or as soon as there is something.

import type { Engine } from '../../../engine/index.ts';
import { changesBodySchema } from '../../api/schemas/changes.ts';
import { badParameter } from '../../api/validation/bad-parameter.ts';
import { readJsonBody } from '../../api/validation/json-body.ts';
import { requireObject } from '../../api/validation/validate.ts';
import type { HttpRequest } from '../../http/contract/http-server.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import { createPacer } from '../../process/pacer.ts';
import { AnswerSink } from '../answer/answer-sink.ts';
import { JSON_HEADER } from '../answer/answers.ts';
import { paced } from '../answer/paced.ts';
import { datasetOf } from '../request/path-names.ts';
import { queryOf } from '../request/query-parameters.ts';
import { parseCount, single } from '../request/read-parameters.ts';
import type { Service } from '../service/service.ts';
import { type ScanEnd, type ScanParts, writeChanges } from './change-scan.ts';
import { type FeedPosition, formatPosition, parsePosition } from './feed-position.ts';

const MOST_POINTS = 100_000;
const DEFAULT_POINTS = 10_000;
const MOST_SECONDS = 60;
/** About what is held of each tag until the position is written. */
const TAG_BYTES = 256;

interface Asked {
  readonly since: FeedPosition | undefined;
  readonly limit: number;
  readonly waitMs: number;
}

export function changeRoutes(service: Service): Route[] {
  const pattern = '/api/datasets/{dataset}/changes';
  return [
    {
      method: 'GET',
      pattern,
      handle: (call) => {
        const query = queryOf(service, call);
        return answer(
          service,
          call,
          toAsked((name) => single(query, name)),
        );
      },
    },
    {
      method: 'POST',
      pattern,
      handle: async (call) => {
        const body = requireObject(changesBodySchema, await readJsonBody(call.request, service.maxBodyBytes));
        const textOf = (name: string): string | undefined =>
          body[name] === undefined ? undefined : String(body[name]);
        await answer(service, call, toAsked(textOf));
      },
    },
  ];
}

function toAsked(read: (name: string) => string | undefined): Asked {
  const [after, wait] = [read('after'), read('wait')];
  const seconds = wait === undefined ? 0 : Number(/^\d{1,2}$/.test(wait) ? wait : Number.NaN);
  if (!(seconds <= MOST_SECONDS))
    throw badParameter(`'wait' is '${wait?.slice(0, 100)}'; want a whole number of seconds up to ${MOST_SECONDS}.`);
  return {
    since: after === undefined ? undefined : parsePosition(after),
    limit: parseCount('limit', read('limit'), MOST_POINTS) ?? DEFAULT_POINTS,
    waitMs: seconds * 1000,
  };
}

async function answer(service: Service, call: RouteContext, { since, limit, waitMs }: Asked): Promise<void> {
  const { request, response } = call;
  const untilMs = performance.now() + waitMs;
  const sink = new AnswerSink(response, [JSON_HEADER]);
  const pacer = createPacer();
  const { out } = sink;
  try {
    for (;;) {
      const change = new NextChange(service.engine, datasetOf(call));
      try {
        out.ascii('{"changes":[');
        const turn = (): Promise<void> | undefined => paced(sink, pacer);
        const end = await scan(service, call, { since, limit, out, turn });
        const leftMs = untilMs - performance.now();
        if (request.aborted) return;
        if (end.count > 0 || end.isMore || leftMs <= 0) {
          out.ascii(`],"position":"${formatPosition(end.position)}","isMore":${end.isMore}}`);
          return await sink.end();
        }
        out.clear();
        await change.wait(request, leftMs);
      } finally {
        change.stop();
      }
      if (request.aborted) return;
    }
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

async function scan(
  service: Service,
  call: RouteContext,
  parts: Omit<ScanParts, 'following' | 'style'>,
): Promise<ScanEnd> {
  const { engine, style, nowMs } = service;
  const { memory } = call.request;
  const following = await engine.follow(datasetOf(call));
  try {
    // It is no copy that purge would wait for.
    following.noteCopied(nowMs());
    const heldBytes = following.nextTagId * TAG_BYTES;
    memory.take(heldBytes);
    const end = await writeChanges({ ...parts, following, style: { ...style.values, exact: 'number' } });
    memory.give(heldBytes);
    return end;
  } finally {
    following.stop();
  }
}

/** Whether anything was stored or corrected since it was made. */
class NextChange {
  readonly #watch: ReturnType<Engine['watch']>;
  #isThere = false;
  #wake: (() => void) | undefined;

  constructor(engine: Engine, dataset: string) {
    const note = ({ isSystem }: { readonly isSystem: boolean }): void => {
      if (isSystem) return;
      this.#isThere = true;
      this.#wake?.();
    };
    this.#watch = engine.watch(dataset, note, note);
  }

  /** Definitions alone are not watched: they are looked for every second. */
  async wait(request: HttpRequest, leftMs: number): Promise<void> {
    if (this.#isThere) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(leftMs, 1000));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      request.onAbort(this.#wake);
    });
  }

  stop(): void {
    this.#watch.stop();
  }
}
