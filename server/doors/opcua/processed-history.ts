// HistoryRead at times and of aggregates: both by the functions that reads over HTTP have, with the same defaults.

import type { AggregateConfiguration, DataValue, ReadAtTimeDetails, ReadProcessedDetails } from 'node-opcua-client';
import { type AggregateRequest, findAggregate, type Instant } from '../../../engine/index.ts';
import { resolveAggregates, toAggregateForm } from '../../routes/request/aggregate-parameters.ts';
import { BadHistory, type HistoryPage, MOST_VALUES, timeOf } from './history-page.ts';
import { chunksOf, type RawSource } from './raw-history.ts';

const MOST_TIMES = 1000;

export interface ProcessedSource extends RawSource {
  readonly now: () => Instant;
}

/** The point at each time, else what lies between its neighbours, by the function Interpolative. */
export async function readAtTimes(source: ProcessedSource, { reqTimes }: ReadAtTimeDetails): Promise<HistoryPage> {
  const times = (reqTimes ?? []).map((time) => timeOf(time));
  if (times.length > MOST_TIMES) throw new BadHistory('BadTooManyOperations');
  const values: DataValue[] = [];
  for (const start of times) {
    if (start === undefined) throw new BadHistory('BadInvalidTimestampArgument');
    const slice = { start, end: { ms: start.ms + 1, ticks: 0 } };
    values.push(...(await readSlice(source, slice, { aggregate: ['Interpolative'] })));
  }
  return { values, continuationPoint: undefined };
}

export async function readProcessed(
  source: ProcessedSource,
  details: ReadProcessedDetails,
  continuationPoint: string | undefined,
): Promise<HistoryPage> {
  const start = timeOf(details.startTime);
  const end = timeOf(details.endTime);
  if (start === undefined || end === undefined) throw new BadHistory('BadInvalidArgument');
  if (start.ms >= end.ms) throw new BadHistory('BadHistoryOperationUnsupported');
  const { processingInterval } = details;
  if (!Number.isInteger(processingInterval) || processingInterval < 0) throw new BadHistory('BadInvalidArgument');
  const intervalMs = processingInterval === 0 ? end.ms - start.ms : processingInterval;
  const fromMs = parseFrom(continuationPoint) ?? start.ms;
  const untilMs = Math.min(end.ms, fromMs + MOST_VALUES * intervalMs);
  const values = await readSlice(
    source,
    { start: { ms: fromMs, ticks: 0 }, end: { ms: untilMs, ticks: 0 } },
    {
      aggregate: [functionOf(source, details)],
      interval: `${intervalMs}ms`,
      ...formOf(details.aggregateConfiguration),
    },
  );
  return { values, continuationPoint: untilMs < end.ms ? JSON.stringify({ fromMs: untilMs }) : undefined };
}

async function readSlice(
  source: ProcessedSource,
  range: { readonly start: Instant; readonly end: Instant },
  texts: Readonly<Record<string, string | readonly string[]>>,
): Promise<DataValue[]> {
  const form = toAggregateForm((name) => texts[name]);
  const asked = { kind: 'range', ...range } as const;
  const isAborted = (): boolean => false;
  const resolved = await resolveAggregates(form, undefined, asked, { now: source.now(), isAborted, memory: undefined });
  const aggregates = resolved?.request as AggregateRequest;
  const values: DataValue[] = [];
  for await (const chunk of chunksOf(source, asked, { aggregates })) values.push(...chunk);
  return values;
}

/** Name of the function of a node of OPC UA. */
function functionOf({ client }: ProcessedSource, { aggregateType }: ReadProcessedDetails): string {
  const [id] = aggregateType ?? [];
  const name = id?.namespace === 0 ? client.AggregateFunction[Number(id.value)] : undefined;
  if (name === undefined || findAggregate(name) === undefined) throw new BadHistory('BadAggregateNotSupported');
  return name;
}

function formOf(configuration: AggregateConfiguration): Record<string, string> {
  if (configuration.useServerCapabilitiesDefaults) return {};
  const { treatUncertainAsBad, percentDataGood, percentDataBad, useSlopedExtrapolation } = configuration;
  return {
    treatUncertainAsBad: String(treatUncertainAsBad),
    percentGood: String(percentDataGood),
    percentBad: String(percentDataBad),
    extrapolation: useSlopedExtrapolation ? 'sloped' : 'stepped',
  };
}

function parseFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    const { fromMs } = JSON.parse(text) as { fromMs?: unknown };
    if (Number.isSafeInteger(fromMs)) return fromMs as number;
  } catch {
    // Told below.
  }
  throw new BadHistory('BadContinuationPointInvalid');
}
