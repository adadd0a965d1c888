import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { HttpClient } from './http-client.ts';

/** In a thread of its own: answers one request of a connection and closes it a moment later, as servers do with idle ones. */
const CLOSING_SERVER = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const closed = new Int32Array(workerData);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok');
      setTimeout(() => {
        socket.destroy();
        Atomics.store(closed, 0, 1);
        Atomics.notify(closed, 0);
      }, 100);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
const LONG_MS = 60_000;
const IDLE_MS = 1200;

test('after a while in which this process did nothing, a connection that the server has closed meanwhile is not used', async () => {
  const shared = new SharedArrayBuffer(4);
  const worker = new Worker(CLOSING_SERVER, { eval: true, workerData: shared });
  try {
    const port = await new Promise<number>((resolve) => worker.once('message', resolve));
    const client = new HttpClient(`http://127.0.0.1:${port}`);
    assert.equal((await client.get('/')).status, 200);
    // Nothing is seen of the close.
    Atomics.wait(new Int32Array(shared), 0, 0, LONG_MS);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, IDLE_MS);
    assert.equal((await client.post('/', [{ v: 1 }])).status, 200);
    client.close();
  } finally {
    await worker.terminate();
  }
});
