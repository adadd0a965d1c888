import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { PassingFailure } from '../../../replication/sink.ts';
import { parseVarveAddress } from '../../../replication/varve/http/address.ts';
import { VarveSink } from '../../../replication/varve/varve-sink.ts';

/** A server that answers everything alike. */
async function answering(context: TestContext, status: number, body: string): Promise<VarveSink> {
  const server = createServer((_, answer) => void answer.writeHead(status).end(body));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  context.after(() => void server.closeAllConnections());
  context.after(() => void server.close());
  return new VarveSink(parseVarveAddress(`varve://secret@127.0.0.1:${(server.address() as AddressInfo).port}`));
}

async function failureOf(sink: VarveSink): Promise<Error> {
  return sink.open().then(
    () => assert.fail('it opens'),
    (error: Error) => error,
  );
}

test('what somebody has to do something about is said, with what that is, and is no failure that passes', async (context) => {
  const lasting: readonly (readonly [number, string, RegExp])[] = [
    [401, '{"detail":"No token."}', /401: it wants a token.*VARVE_CENTRE_PASSWORD: No token\./],
    [403, '{"detail":"Not for this."}', /needs the role admin.*--allow-host: Not for this\./],
    [404, '<html>', /no Varve, or one of an earlier version|it is no Varve/],
    [409, '{"detail":"A centre."}', /over a centre\?: A centre\./],
    [413, '', /--max-body/],
    [200, '<html>', /no JSON: is it a Varve/],
    [200, '{"role":"write"}', /has the role 'write'; a copy needs admin/],
  ];
  for (const [status, body, message] of lasting) {
    const failure = await failureOf(await answering(context, status, body));
    assert.match(failure.message, message);
    assert.ok(!(failure instanceof PassingFailure), `${status} ${body}`);
    assert.ok(!failure.message.includes('secret'), 'a token is told');
  }
});

test('what goes away by itself is tried again: no answer, a busy server, a full disk', async (context) => {
  for (const status of [408, 429, 500, 502, 503, 507])
    assert.ok((await failureOf(await answering(context, status, ''))) instanceof PassingFailure, String(status));
  const nobody = await failureOf(new VarveSink(parseVarveAddress('varve://127.0.0.1:1')));
  assert.ok(nobody instanceof PassingFailure);
  assert.match(nobody.message, /no answer: /);
});

test('a token for everything opens, and so does a server without tokens', async (context) => {
  await (await answering(context, 200, '{"access":"open","role":"admin"}')).open();
});
