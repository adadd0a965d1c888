// A client of a broker for tests: connected, publishing at QoS 1, and gone with the test.

import type { TestContext } from 'node:test';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';

export async function connectClient(
  context: TestContext,
  url: string,
  options: IClientOptions = {},
): Promise<MqttClient> {
  const client = await connectAsync(url, { protocolVersion: 5, reconnectPeriod: 0, ...options });
  client.on('error', () => undefined);
  context.after(() => client.endAsync(true));
  return client;
}

/** Resolves when the broker has acknowledged all. */
export async function publishAll(
  client: MqttClient,
  messages: Iterable<readonly [topic: string, payload: string | Uint8Array]>,
): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (const [topic, payload] of messages)
    sent.push(client.publishAsync(topic, typeof payload === 'string' ? payload : Buffer.from(payload), { qos: 1 }));
  await Promise.all(sent);
}
