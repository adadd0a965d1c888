// Requests that a proxy may read in another way than we do: none of them lets a second request run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { RawClient } from './support/raw-client.ts';
import { smugglingCases } from './support/smuggling-cases.ts';
import { describeTransports, startServer } from './support/test-server.ts';

const SECOND = 'GET /second HTTP/1.1\r\nHost: a\r\n\r\n';

/** These reach the guard on every transport, so that the client is told. */
const toldAttacks = new Set([
  'an empty length',
  'an encoding that ends in chunked',
  'two Hosts',
  'a list of encodings',
]);

describeTransports('smuggling', (transport) => {
  for (const [title, text] of smugglingCases('a', SECOND)) {
    test(`${title}: the second request does not run and the connection is closed`, async (context) => {
      const paths: string[] = [];
      const { port } = await startServer(context, transport, async (request, response) => {
        paths.push(request.path);
        await request.readBody(1000);
        response.send(200, [], 'ran');
      });
      const client = await RawClient.open(port);
      client.send(text);
      // Some heads count as not finished yet; a client that goes on does not get its second request in either.
      await Promise.race([client.closed, delay(150)]);
      if (!client.isClosed) client.send(SECOND);
      await Promise.race([client.closed, delay(150)]);
      if (toldAttacks.has(title)) await client.answered(1);
      assert.ok(!paths.includes('/second'), `ran ${paths}`);
      for (const answer of client.answers) assert.ok(answer.status >= 400, `answered ${answer.status}`);
      if (toldAttacks.has(title)) assert.equal(client.answers[0]?.status, 400);
      assert.equal(paths.length, title.includes('chunk size') ? paths.length : 0);
      client.destroy();
    });
  }

  test('a refused request with its body still to come is answered and closed', async (context) => {
    const { port } = await startServer(context, transport, (_, response) => response.send(200, []));
    const client = await RawClient.open(port);
    await client.sendSlowly(
      ['POST / HTTP/1.1\r\nHost: a\r\nHost: a\r\nContent-Length: 100000\r\n\r\n', 'x'.repeat(50_000)],
      20,
    );
    await client.until(() => client.isClosed);
    assert.equal(client.answers[0]?.status, 400);
  });
});
