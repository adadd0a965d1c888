// The sources of the server: brokers that bring points.

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

export async function listSources(): Promise<readonly Source[]> {
  return (await sendForJson<{ sources: readonly Source[] }>('/api/sources')).sources;
}
