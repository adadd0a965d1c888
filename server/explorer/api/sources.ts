// The sources of the server: brokers that bring points, and the collector in its process.

import { sendForJson } from './http.ts';

export interface BadMessage {
  readonly time: string;
  readonly topic: string;
  readonly reason: string;
  readonly payload: string;
}

export interface Source {
  readonly name: string;
  readonly url: string;
  readonly state: 'connecting' | 'connected' | 'waiting' | 'holding' | 'stopped';
  readonly lastError?: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly pendingMessages: number;
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
  readonly counts: Readonly<Record<string, number>>;
  readonly waiting: { readonly points: number; readonly bytes: number; readonly seconds: number };
}

export interface AllSources {
  readonly sources: readonly Source[];
  /** Collectors of OPC UA. */
  readonly collectors: readonly Collector[];
}

export async function listSources(): Promise<readonly AllSources[]> {
  return [await sendForJson<AllSources>('/api/sources')];
}
