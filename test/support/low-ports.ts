// Free ports below those that the system gives out by itself, so that a program that is started again gets its port again.

import { createServer } from 'node:net';

const FIRST = 20_000;
const BEHIND = 32_000;

/** On 127.0.0.1. */
export async function freeLowPorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  let port = FIRST + Math.floor(Math.random() * (BEHIND - FIRST));
  for (let tries = 0; ports.length < count && tries < BEHIND - FIRST; tries++) {
    port = port + 1 < BEHIND ? port + 1 : FIRST;
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
