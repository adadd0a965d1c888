// An OPC UA server of many variables, all of which change once a second to the number of the second, counted: `node --import tsx
// load-server.ts <folder> <port> <variables>`. It begins at the message `begin`, and ends its values at `end`.

import { setTimeout as sleep } from 'node:timers/promises';
import { OpcUaTestServer } from '../support/opcua-server.ts';

export type LoadNews =
  | { readonly is: 'ready' }
  /** Times of all values, of which the n-th is n, counted from 1. */
  | { readonly is: 'ended'; readonly timesMs: readonly number[] };

const EVERY_MS = 1000;
/** The server makes one value of those that come closer together. */
const LEAST_PAUSE_MS = 100;
const [folder = '', port = '', count = ''] = process.argv.slice(2);
const names = Array.from({ length: Number(count) }, (_, index) => `V${String(index).padStart(4, '0')}`);
const server = await OpcUaTestServer.start({ folder, port: Number(port), variables: names.map((name) => ({ name })) });
let isOver = false;

async function run(): Promise<void> {
  const timesMs: number[] = [];
  while (!isOver) {
    const timeMs = Date.now();
    timesMs.push(timeMs);
    for (const name of names) server.set(name, timesMs.length, timeMs);
    await sleep(Math.max(LEAST_PAUSE_MS, EVERY_MS - (Date.now() - timeMs)));
  }
  process.send?.({ is: 'ended', timesMs } satisfies LoadNews);
}

process.on('message', (word) => {
  if (word === 'begin') void run();
  else isOver = true;
});
process.on('disconnect', () => process.exit(0));
process.send?.({ is: 'ready' } satisfies LoadNews);
