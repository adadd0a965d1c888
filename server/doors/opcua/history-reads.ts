// HistoryRead of a tag: which kind is asked for, and status codes for what goes wrong.

import type { HistoryReadDetails, HistoryReadResult } from 'node-opcua-client';
import { EngineError, type ErrorCode } from '../../../engine/index.ts';
import { ProblemError } from '../../problem.ts';
import { BadHistory, type HistoryPage } from './history-page.ts';
import { type ProcessedSource, readAtTimes, readProcessed } from './processed-history.ts';
import { readRaw } from './raw-history.ts';

type StatusName = BadHistory['statusName'];

const STATUS_NAMES: Readonly<Partial<Record<ErrorCode, StatusName>>> = {
  DATASET_NOT_FOUND: 'BadNodeIdUnknown',
  TAG_NOT_FOUND: 'BadNodeIdUnknown',
  BAD_REQUEST: 'BadInvalidArgument',
  UNAVAILABLE: 'BadResourceUnavailable',
  CLOSED: 'BadServerHalted',
};

/** What a client sends of a page before; `isReleased`: it wants no more. */
export interface Continuation {
  readonly point: string | undefined;
  readonly isReleased: boolean;
}

export async function answerHistory(
  source: ProcessedSource,
  details: HistoryReadDetails,
  { point, isReleased }: Continuation,
): Promise<HistoryReadResult> {
  const { client } = source;
  // Nothing is kept of a page.
  if (isReleased) return new client.HistoryReadResult({ statusCode: client.StatusCodes.Good });
  try {
    const { values, continuationPoint } = await read(source, details, point);
    return new client.HistoryReadResult({
      statusCode: values.length === 0 ? client.StatusCodes.GoodNoData : client.StatusCodes.Good,
      historyData: new client.HistoryData({ dataValues: [...values] }),
      ...(continuationPoint !== undefined && { continuationPoint: Buffer.from(continuationPoint) }),
    });
  } catch (error) {
    return new client.HistoryReadResult({ statusCode: client.StatusCodes[statusNameOf(error)] });
  }
}

function read(source: ProcessedSource, details: HistoryReadDetails, point: string | undefined): Promise<HistoryPage> {
  const { client } = source;
  if (details instanceof client.ReadRawModifiedDetails) return readRaw(source, details, point);
  if (details instanceof client.ReadAtTimeDetails) return readAtTimes(source, details);
  if (details instanceof client.ReadProcessedDetails) return readProcessed(source, details, point);
  throw new BadHistory('BadHistoryOperationUnsupported');
}

function statusNameOf(error: unknown): StatusName {
  if (error instanceof BadHistory) return error.statusName;
  if (error instanceof ProblemError && error.status < 500) return 'BadInvalidArgument';
  return (error instanceof EngineError && STATUS_NAMES[error.code]) || 'BadUnexpectedError';
}
