// The write itself: what the request is for, its lines into a batch, the batch into the engine, and the answer, which comes
// when the points are as durable as those of any other write.

import type { WriteReceipt } from '../../../engine/index.ts';
import { Bodies } from '../../codec/body/pieces.ts';
import { type BadLine, type LineOptions, LineParser, type ParsedLines } from '../../codec/line-protocol/line-parser.ts';
import { isPrecision } from '../../codec/line-protocol/line-times.ts';
import { countHeaders } from '../../count-headers.ts';
import type { HeaderList, HttpResponse, RenderedProblem } from '../../http/contract/http-server.ts';
import { parseQuery } from '../../http/routing/query.ts';
import type { RouteContext } from '../../http/routing/router.ts';
import { droppedReasons } from '../../metrics/dropped-points.ts';
import type { Written } from '../../metrics/writer-figures.ts';
import { ProblemError } from '../../problem.ts';
import type { Service } from '../../routes/service/service.ts';
import { MAX_TEXT_BYTES, storeBatch } from '../../routes/write/store-batch.ts';
import { DEFAULT_LINE_TEMPLATE, parseLineTemplate } from '../../settings/line-template.ts';
import { errorV1, errorV2 } from './influx-answers.ts';

/** What the two versions differ in. */
export interface WriteForm {
  /** The parameter that names the dataset. */
  readonly parameter: 'db' | 'bucket';
  readonly missing: string;
  datasetOf(name: string, exists: (name: string) => boolean): string;
  /** `line` is the first bad one; there need be none. */
  partialError(message: string, line: number | undefined, headers: HeaderList): RenderedProblem;
}

export const V1: WriteForm = {
  parameter: 'db',
  missing: 'database is required',
  datasetOf: (name) => name,
  partialError: (message, _line, headers) => errorV1(400, message, headers),
};

export const V2: WriteForm = {
  parameter: 'bucket',
  missing: 'bucket is required',
  datasetOf: datasetOfBucket,
  partialError: (message, line, headers) => errorV2(400, { message, ...(line === undefined ? {} : { line }) }, headers),
};

type Options = Omit<LineOptions, 'lookup'>;

interface StoredLines extends Written {
  readonly parsed: ParsedLines;
  readonly receipt: WriteReceipt;
}

export class WriteLines {
  readonly #service: Service;
  readonly #template: LineOptions['template'];
  readonly #bodies = new Bodies<LineOptions, ParsedLines>(() => new LineParser());

  constructor(service: Service) {
    this.#service = service;
    this.#template = service.lineTemplate ?? parseLineTemplate(DEFAULT_LINE_TEMPLATE);
  }

  async write(call: RouteContext, form: WriteForm): Promise<void> {
    const { request, response, caller } = call;
    const target = readTarget(request.query, form);
    const { precision } = target;
    const dataset = form.datasetOf(target.name, (name) => this.#service.engine.hasDataset(name));
    caller.require('write', dataset);
    const store = (): Promise<StoredLines> => this.#store(call, dataset, precision);
    const { writers } = this.#service;
    const { parsed, receipt } = await (writers?.count({ dataset, way: 'line-protocol', request }, store) ?? store());
    answer(response, form, parsed, receipt);
  }

  async #store({ request, caller }: RouteContext, dataset: string, precision: string): Promise<StoredLines> {
    const bytes = await request.readBody(this.#service.maxBodyBytes);
    const options = this.#options(precision);
    const lookup = () => this.#service.engine.lookup(dataset);
    const parsed = await this.#bodies.parse(bytes, { ...options, lookup: lookup() }, request, lookup);
    request.reuseBody();
    const { doorLate: late, dropped } = this.#service;
    let receipt: WriteReceipt;
    try {
      receipt = await storeBatch(this.#service, { dataset, caller, late }, parsed.batch);
    } finally {
      this.#bodies.release(parsed.batch);
    }
    dropped?.add(receipt, { door: 'line-protocol', dataset });
    return { parsed, receipt, rejected: parsed.rejected, fault: parsed.firstBad && badLineText(parsed.firstBad) };
  }

  #options(precision: string): Options {
    const { nowMs, style } = this.#service;
    return {
      template: this.#template,
      precision,
      arrivalMs: Math.floor(nowMs()),
      maxTextBytes: MAX_TEXT_BYTES,
      truths: style.truths,
    };
  }
}

function readTarget(query: string, form: WriteForm): { name: string; precision: string } {
  const parameters = parseQuery(query);
  const name = parameters.get(form.parameter)?.[0] ?? '';
  if (name === '') throw new ProblemError(400, form.missing);
  const precision = parameters.get('precision')?.[0] || 'ns';
  if (isPrecision(precision)) return { name, precision };
  throw new ProblemError(400, `invalid precision ${JSON.stringify(precision)}; want ns, us, ms, s, m or h`);
}

/**
 * Clients of version 2 that are meant for servers of version 1.8 name `database/policy`. The policy is not looked at, like
 * in version 1, unless the whole is the name of a dataset.
 */
function datasetOfBucket(bucket: string, exists: (name: string) => boolean): string {
  const slash = bucket.indexOf('/');
  return slash <= 0 || exists(bucket) ? bucket : bucket.slice(0, slash);
}

/** 204 when all was stored, or was there already: what was dropped, as a bad line or by the rules of the dataset, is said. */
function answer(response: HttpResponse, form: WriteForm, parsed: ParsedLines, receipt: WriteReceipt): void {
  const { firstBad, rejected } = parsed;
  const counts = countHeaders(receipt, rejected);
  const faults = droppedReasons(receipt);
  if (firstBad !== undefined) faults.unshift(`unable to parse ${badLineText(firstBad)} dropped=${rejected}`);
  if (faults.length === 0) return response.send(204, counts);
  const hasGood = parsed.batch.runs.length > 0;
  const message = `${hasGood ? 'partial write: ' : ''}${faults.join('; ')}`;
  const { status, headers, body } = form.partialError(message, firstBad?.number, counts);
  response.send(status, headers, body);
}

function badLineText({ text, fault, number }: BadLine): string {
  return `'${text}': ${fault}, line ${number}`;
}
