// The sources of the server: brokers that bring points, the collector in its process, and clients that write.

import { sendForJson } from './http.ts';

export interface BadMessage {
  readonly time: string;
  readonly topic: string;
  readonly reason: string;
  readonly payload: string;
}

type Counts = Readonly<Record<string, number>>;

export interface Source {
  readonly name: string;
  readonly url: string;
  readonly state: 'connecting' | 'connected' | 'waiting' | 'holding' | 'stopped';
  readonly lastError?: string;
  readonly pointsPerSecond: number;
  readonly lagSeconds?: number;
  readonly counts: Counts;
  readonly pendingMessages: number;
  readonly pendingBytes: number;
  readonly badMessages: readonly BadMessage[];
}

export interface Collector {
  readonly dataset: string;
  readonly state: 'connecting' | 'connected' | 'waiting' | 'stopped';
  readonly endpoints: readonly string[];
  readonly connectedTo?: string;
  readonly lastError?: string;
  readonly variables: number;
  readonly pointsPerSecond: number;
  readonly lagSeconds?: number;
  readonly counts: Counts;
  readonly waiting: { readonly points: number; readonly bytes: number; readonly seconds: number };
}

export interface Writer {
  readonly dataset: string;
  readonly client: string;
  readonly way: 'api' | 'line-protocol';
  readonly lastWrite?: string;
  readonly pointsPerSecond: number;
  readonly counts: Counts;
  readonly lastError?: string;
}

export interface AllSources {
  readonly sources: readonly Source[];
  /** Collectors of OPC UA. */
  readonly collectors: readonly Collector[];
  /** The one that wrote last comes first. */
  readonly writers: readonly Writer[];
}

/** The one answer, as a list. */
export async function listSources(): Promise<readonly AllSources[]> {
  return [await sendForJson<AllSources>('/api/sources')];
}
