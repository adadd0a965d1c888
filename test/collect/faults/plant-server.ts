// An OPC UA server as a process of its own, told what to do by its parent: `node --import tsx plant-server.ts <folder> <port>`.

import { OpcUaTestServer, type TestVariable } from '../support/opcua-server.ts';

export type Order =
  | {
      readonly do: 'set';
      readonly name: string;
      readonly value: number;
      readonly timeMs: number;
      /** Else it is of the past, and comes with others. */
      readonly isLive: boolean;
    }
  | { readonly do: 'add'; readonly variable: TestVariable }
  | { readonly do: 'remove'; readonly name: string }
  | { readonly do: 'level'; readonly level: number }
  | { readonly do: 'stop' };

const SPACING_MS = 80;
const [folder = '', port = '', variables = '[]'] = process.argv.slice(2);
const server = await OpcUaTestServer.start({
  folder,
  port: Number(port),
  variables: JSON.parse(variables) as TestVariable[],
});
// The server makes one value of those that come within 50 ms, as orders do that a busy machine has held up. A variable goes when
// its values have come.
const waiting: (Order & { do: 'set' | 'remove' })[] = [];
setInterval(() => {
  const given = new Set<string>();
  for (let next = waiting[0]; next !== undefined && !given.has(next.name); next = waiting[0]) {
    waiting.shift();
    given.add(next.name);
    if (next.do === 'set') server.set(next.name, next.value, next.timeMs);
    else server.remove(next.name);
  }
}, SPACING_MS);
process.on('message', (order: Order) => {
  if (order.do === 'remove' || (order.do === 'set' && order.isLive)) waiting.push(order);
  else if (order.do === 'set') server.set(order.name, order.value, order.timeMs);
  else if (order.do === 'add') server.add(order.variable);
  else if (order.do === 'level') server.setLevel(order.level);
  else void server.stop().then(() => process.exit(0));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
