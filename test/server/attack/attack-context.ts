// What an attack works with: the address, how much of it to do, and a proper client for what must go on.

import assert from 'node:assert/strict';
import type { TransportName } from '../../../server/transport.ts';
import type { Extent } from '../../support/campaign.ts';
import type { HttpAnswer, HttpClient } from '../../support/http-client.ts';
import { RawClient } from '../http/support/raw-client.ts';

export const DATASET = '/api/datasets/Attack';

export interface AttackContext {
  readonly transport: TransportName;
  readonly port: number;
  readonly http: HttpClient;
  /** `slice`: what runs with every test run; `full`: by hand. */
  readonly extent: Extent;
}

/** One row of the table. */
export interface Attack {
  readonly name: string;
  /** What the server's memory may grow by meanwhile, in bytes. */
  readonly growthLimitBytes: number;
  /** The same in full, where more comes at once; as in the slice when absent. */
  readonly fullGrowthLimitBytes?: number;
  /** Gives the number of trials; throws at the first one that did not go as it must. */
  run(context: AttackContext): Promise<number>;
}

export const MIB = 2 ** 20;

/** Size for the extent: the first in a slice, the second in full. */
export function sized(context: AttackContext, slice: number, full: number): number {
  return context.extent === 'full' ? full : slice;
}

export function hostHeader(context: AttackContext): string {
  return `127.0.0.1:${context.port}`;
}

/** Opens connections, a few at a time. */
export async function openMany(port: number, count: number): Promise<RawClient[]> {
  const clients: RawClient[] = [];
  while (clients.length < count) {
    const batch = Math.min(100, count - clients.length);
    clients.push(...(await Promise.all(Array.from({ length: batch }, () => RawClient.open(port)))));
  }
  return clients;
}

/** Ends all of them, whatever happens in between. */
export async function withClients<T>(
  clients: readonly RawClient[],
  work: (clients: readonly RawClient[]) => Promise<T>,
): Promise<T> {
  try {
    return await work(clients);
  } finally {
    for (const client of clients) client.destroy();
  }
}

export function assertStatus(answer: HttpAnswer, wanted: readonly number[], what: string): void {
  assert.ok(wanted.includes(answer.status), `${what}: got ${answer.status} ${answer.text.slice(0, 200)}`);
}
