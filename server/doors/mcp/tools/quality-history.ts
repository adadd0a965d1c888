// The tool that tells when a tag was good, uncertain or bad.

import type { PointChunk, ReadRange } from '../../../../engine/index.ts';
import { formatInstant } from '../../../codec/scalars/timestamp.ts';
import { createPacer } from '../../../process/pacer.ts';
import { toReadForm } from '../../../routes/request/read-parameters.ts';
import { resolveTimeRange } from '../../../routes/request/time-range.ts';
import { nowInstant } from '../../../routes/service/service.ts';
import { asToolError, ToolError } from '../inner-call.ts';
import {
  datasetArgument,
  datasetOfCall,
  objectOf,
  rangeArguments,
  rangeQuery,
  type Tool,
  type ToolCall,
  tagArgument,
} from './tool.ts';

const MOST_SPANS = 500;

type Kind = 'good' | 'uncertain' | 'bad';

interface Span {
  readonly start: string;
  readonly quality: number;
  readonly kind: Kind;
  points: number;
}

/** Points of one quality in a row, told as one. */
class QualitySpans {
  readonly spans: Span[] = [];
  isFull = false;

  take({ points, start, end }: PointChunk): void {
    for (let i = start; i < end && !this.isFull; i++) {
      const quality = points.qualities[i] as number;
      const last = this.spans.at(-1);
      if (last?.quality === quality) last.points++;
      else this.#begin(quality, formatInstant({ ms: points.timesMs[i] as number, ticks: points.ticks[i] as number }));
    }
  }

  #begin(quality: number, start: string): void {
    if (this.spans.length === MOST_SPANS) this.isFull = true;
    else this.spans.push({ start, quality, kind: kindOf(quality), points: 1 });
  }
}

function kindOf(quality: number): Kind {
  if (quality >= 192) return 'good';
  return quality >= 64 ? 'uncertain' : 'bad';
}

export const QUALITY_TOOL: Tool = {
  name: 'read_quality_history',
  title: 'Quality of a tag over time',
  description: `When a tag was good, uncertain or bad: points in a row of one quality as one span, which lasts until the next one begins; at most ${MOST_SPANS}. \`more\` says from when on there is more.`,
  arguments: objectOf({ dataset: datasetArgument, tag: tagArgument, ...rangeArguments }, ['dataset', 'tag', 'start']),
  role: 'read',
  async run(call, given) {
    const dataset = datasetOfCall(given);
    try {
      call.outer.caller.require('read', dataset);
      const query = new Map(rangeQuery(given).map(([name, value]) => [name, [value]]));
      const range = resolveTimeRange(toReadForm(query), nowInstant(call.service));
      if (range.kind !== 'range') throw new ToolError("'start' is missing.");
      return await readSpans(call, { dataset, tag: given.tag as string, range });
    } catch (error) {
      throw asToolError(error);
    }
  },
};

interface Asked {
  readonly dataset: string;
  readonly tag: string;
  readonly range: Extract<ReadRange, { kind: 'range' }>;
}

async function readSpans({ service, outer }: ToolCall, { dataset, tag, range }: Asked): Promise<object> {
  const asked = { tags: [tag], range, carryIn: true, skipMissing: false, limit: undefined, after: [] };
  const result = service.engine.read(dataset, asked);
  await result.settle?.();
  const cursor = result.open(0);
  const pacer = createPacer();
  const found = new QualitySpans();
  try {
    for (
      let chunk = await cursor.next();
      chunk && !found.isFull && !outer.request.aborted;
      chunk = await cursor.next()
    ) {
      found.take(chunk);
      // To read a chunk of long texts takes long.
      if (pacer.isDueNow()) await pacer.yield();
    }
  } finally {
    cursor.close();
  }
  const more = found.isFull ? { more: `Ask again with start ${found.spans.at(-1)?.start}.` } : {};
  return { tag, start: formatInstant(range.start), end: formatInstant(range.end), spans: found.spans, ...more };
}
