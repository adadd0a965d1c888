// Publishes messages of QoS 1 at a steady rate, as far as the broker acknowledges them.

import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';

export interface PublisherLoad {
  readonly url: string;
  /** Messages a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly tagCount: number;
}

export interface PublisherFigures {
  readonly sent: number;
  readonly acknowledged: number;
  readonly ms: number;
  readonly cpuSeconds: number;
}

/** Not acknowledged ones at most. */
const WINDOW = 20_000;
const STEP_MS = 5;

export async function publishSteadily({ url, rate, seconds, tagCount }: PublisherLoad): Promise<PublisherFigures> {
  const client = await connectAsync(url, { protocolVersion: 4, reconnectPeriod: 0 });
  const total = rate * seconds;
  const baseMs = Date.now();
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  let [sent, acknowledged] = [0, 0];
  const onAcknowledged = (error: unknown): void => {
    if (!error) acknowledged++;
  };
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * rate), acknowledged + WINDOW);
    for (; sent < due; sent++) {
      const payload = `{"t":${baseMs + Math.floor(sent / tagCount)},"v":${(sent % 977) / 10}}`;
      client.publish(`plant/T${sent % tagCount}`, payload, { qos: 1 }, onAcknowledged);
    }
    await sleep(STEP_MS);
  }
  while (acknowledged < total) await sleep(STEP_MS);
  const ms = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  await client.endAsync();
  return { sent, acknowledged, ms, cpuSeconds: (user + system) / 1e6 };
}
