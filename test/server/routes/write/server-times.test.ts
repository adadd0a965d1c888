// Points without a time in every form of a body: a tick apart in their order, after the newest point of their tag.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { HttpAnswer } from '../../../support/http-client.ts';
import { type AccessServer, startAccessServer } from '../../auth/support/access-server.ts';
import { describeTransports } from '../../http/support/test-server.ts';

const PATH = '/api/datasets/P/data';
/** How far ahead of the clock the newest point is. */
const AHEAD_MS = 600_000;
const BURST = ['ON', 'OFF', 'ON'];

async function start(context: TestContext, transport: 'uws' | 'node'): Promise<AccessServer> {
  const server = await startAccessServer(context, transport);
  assert.equal(
    (await server.http.post(PATH, { T: [{ t: new Date(Date.now() + AHEAD_MS).toISOString(), v: 'AHEAD' }] })).status,
    200,
  );
  return server;
}

/** Values of a tag, and the ticks below the millisecond of the first. */
async function read({ http }: AccessServer, tag: string): Promise<string[]> {
  const answer = await http.get(`${PATH}?tagname=${tag}&start=2000-01-01T00:00:00Z&end=2100-01-01T00:00:00Z`);
  const points = answer.json<{ tl: { d: { t: string; v: string }[] }[] }>().tl[0]?.d ?? [];
  return points.map(({ t, v }) => `${t.slice(23, -1)} ${v}`);
}

describeTransports('points without a time', (transport) => {
  const forms: Record<string, (server: AccessServer, tag: string) => Promise<HttpAnswer>> = {
    points: ({ http }, tag) => http.post(PATH, { [tag]: BURST.map((v) => ({ v })) }),
    'points with null': ({ http }, tag) => http.post(PATH, { [tag]: BURST.map((v) => ({ v, t: null })) }),
    columns: ({ http }, tag) => http.post(PATH, { [tag]: { t: [null, null, null], v: BURST } }),
    'points of one tag': ({ http }, tag) =>
      http.post(
        `${PATH}/${tag}`,
        BURST.map((v) => ({ v })),
      ),
    msgpack: ({ http }, tag) => http.postMsgpack(PATH, { [tag]: BURST.map((v) => ({ v })) }),
    'columns in msgpack': ({ http }, tag) => http.postMsgpack(PATH, { [tag]: { t: [null, null, null], v: BURST } }),
  };
  for (const [form, write] of Object.entries(forms))
    it(`${form}: they are stored in their order, whatever the clock says`, async (context) => {
      const server = await start(context, transport);
      for (const tag of ['T', 'New']) {
        const answer = await write(server, tag);
        assert.deepEqual([answer.status, answer.header('historian-written')], [200, '3'], answer.text);
      }
      assert.deepEqual(await read(server, 'T'), [' AHEAD', '0001 ON', '0002 OFF', '0003 ON']);
      assert.deepEqual(await read(server, 'New'), [' ON', '0001 OFF', '0002 ON']);
    });
});
