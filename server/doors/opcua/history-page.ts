// What reads of histories share: a page, its bound, and what is wrong with a request.

import type { DataValue } from 'node-opcua-client';
import type { Client } from '../../../collect/opcua/library.ts';
import { type Instant, MIN_TIME_MS } from '../../../engine/index.ts';

/** Most values of one page, whatever is asked for. */
export const MOST_VALUES = 10_000;
/** The earliest time of OPC UA means that none is given. */
const NO_TIME_MS = Date.UTC(1601, 0, 1);

export interface HistoryPage {
  readonly values: readonly DataValue[];
  /** Undefined where there is no more. */
  readonly continuationPoint: string | undefined;
}

type StatusName = Exclude<keyof typeof Client.StatusCodes, 'prototype'>;

/** Its message is the name of a status code. */
export class BadHistory extends Error {
  readonly statusName: StatusName;

  constructor(statusName: StatusName) {
    super(statusName);
    this.statusName = statusName;
  }
}

/** Undefined where none is given. */
export function timeOf(time: Date | null | undefined): Instant | undefined {
  const ms = time?.getTime();
  return ms === undefined || Number.isNaN(ms) || ms <= NO_TIME_MS || ms < MIN_TIME_MS ? undefined : { ms, ticks: 0 };
}
