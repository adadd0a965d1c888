// Real proxies in front of the server pass bodies on as they come and keep their connections: nothing that hides in a chunked
// body runs, and the next client gets its own answer.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { chunkCases } from './support/chunk-cases.ts';
import { hasProxy, type ProxyName, ProxyProcess } from './support/proxy-process.ts';
import { RawClient } from './support/raw-client.ts';
import { describeTransports, startServer } from './support/test-server.ts';

const BODY = '[{"v": 1}, {"v": 2}]';
const HIDDEN = 'POST /hidden HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';
const HEAD = 'POST /first HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
/** What a proxy passes on as a trailer, and what it would be as a request. */
const TRAILERS = [
  'xxPOST: /hidden HTTP/1.1\r\nHost: a\r\n\r\n',
  'X-Sum: abc\r\nxxGET: /hidden HTTP/1.1\r\nHost: a\r\n\r\n',
  'X-Sum: abc\r\n\r\n',
];
/** They wait for what must not come. */
const PROXIES_AT_ONCE = 2;
const WAIT_MS = 300;
const PIECE_MS = 50;

/** In pieces, so that a server may answer before the last one. */
function bodies(): (readonly string[])[] {
  const whole = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n`;
  const trailed = TRAILERS.flatMap((trailers) => [[whole + trailers], [whole, trailers]]);
  const hidden = chunkCases(BODY, HIDDEN).filter(({ kind }) => kind !== 'cut');
  return [...hidden.map(({ pieces }) => [pieces.join('')]), ...trailed];
}

/** A client with a connection of its own; a connection of the proxy that was spoilt would give it another's answer. */
async function askInnocently(port: number, name: string): Promise<void> {
  const client = await RawClient.open(port);
  try {
    client.send(`GET /innocent/${name} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const [answer] = await client.answered(1);
    assert.equal(answer?.status, 200);
    assert.equal(answer.body.toString(), `/innocent/${name}`);
  } finally {
    client.destroy();
  }
}

describeTransports(
  'behind a proxy',
  (transport) => {
    for (const name of ['nginx', 'haproxy'] satisfies ProxyName[]) {
      test(`${name}: chunked bodies of every form hide no request`, {
        skip: hasProxy(name) ? false : `${name} is not installed`,
      }, async (context) => {
        const paths: string[] = [];
        const { port } = await startServer(
          context,
          transport,
          async (request, response) => {
            // Answered at once: within the turn in which the end of the body is seen.
            await request.readBody(1_000_000);
            paths.push(request.path);
            response.send(200, [], request.path);
          },
          { allowedHosts: ['a'] },
        );
        const proxy = await ProxyProcess.start(name, makeTempFolder(context), port);
        context.after(() => proxy.stop());
        const sent = bodies();
        let seenHiddenCount = 0;
        for (const [i, body] of sent.entries()) {
          const client = await RawClient.open(proxy.port);
          await client.sendSlowly([HEAD + body[0], ...body.slice(1)], PIECE_MS);
          await client.until(() => client.isClosed || client.answers.length > 1, WAIT_MS).catch(() => {});
          const answers = client.received.toString('latin1').split('HTTP/1.1 ').length - 1;
          client.destroy();
          await askInnocently(proxy.port, String(i));
          // A second request that the proxy itself sees gets its answer; nothing hides then.
          const hiddenCount = paths.filter((path) => path === '/hidden').length - seenHiddenCount;
          assert.ok(hiddenCount <= Math.max(answers - 1, 0), `a request hid in ${JSON.stringify(body)}`);
          seenHiddenCount += hiddenCount;
        }
        context.diagnostic(
          `${sent.length} bodies, ${paths.filter((path) => path === '/first').length} of them handled, ${seenHiddenCount} made two by the proxy`,
        );
        assert.ok(paths.includes('/first'), 'a plain body was handled');
      });
    }
  },
  PROXIES_AT_ONCE,
);

const LARGE_BYTES = 50_000_000;

for (const name of ['nginx-plain', 'haproxy'] satisfies ProxyName[]) {
  test(`${name} as it comes, in front of node: reads, writes, a live stream, a large answer, heads of HTTP/1.0`, {
    skip: hasProxy(name) ? false : `${name} is not installed`,
  }, async (context) => {
    const large = Buffer.alloc(LARGE_BYTES, 'varve ');
    const { port } = await startServer(context, 'node', async (request, response) => {
      if (request.path === '/large') return response.send(200, [], large);
      if (request.path !== '/live') return response.send(200, [], await request.readBody(1_000_000));
      const stream = response.stream(200, [['Content-Type', 'text/event-stream']]);
      for (const event of ['one', 'two']) await stream.write(Buffer.from(`data: ${event}\n\n`));
      return stream.end();
    });
    const proxy = await ProxyProcess.start(name, makeTempFolder(context), port);
    context.after(() => proxy.stop());
    const url = `http://127.0.0.1:${proxy.port}`;
    // HAProxy passes the Host on as it came: the proxy's own address, which loopback allows with the port listened on only.
    const isOwnHost = name === 'nginx-plain';
    const written = await fetch(`${url}/write`, { method: 'POST', body: BODY });
    assert.equal(written.status, isOwnHost ? 200 : 403);
    if (isOwnHost) assert.equal(await written.text(), BODY);
    assert.equal((await fetch(`${url}/read`)).status, 200);
    assert.equal(await (await fetch(`${url}/live`)).text(), 'data: one\n\ndata: two\n\n');
    const got = Buffer.from(await (await fetch(`${url}/large`)).arrayBuffer());
    assert.equal(createHash('sha256').update(got).digest('hex'), createHash('sha256').update(large).digest('hex'));
    const old = await RawClient.open(proxy.port);
    old.send('GET /read HTTP/1.0\r\n\r\n');
    await old.until(() => old.isClosed);
    assert.match(old.received.toString('latin1'), /^HTTP\/1\.[01] 200 /);
  });
}
