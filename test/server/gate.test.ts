import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readySchema } from '../../server/api/schemas/answers.ts';
import { createAjv } from '../../server/api/validation/validate.ts';
import { createGate } from '../../server/gate.ts';
import type { HttpRequest, HttpResponse } from '../../server/http/contract/http-server.ts';
import { ProblemError } from '../../server/problem.ts';

interface Sent {
  readonly status: number;
  readonly body: unknown;
}

function ask(gate: ReturnType<typeof createGate>, path: string): Sent {
  let sent: Sent | undefined;
  const response: Partial<HttpResponse> = {
    send(status, _headers, body) {
      sent = { status, body: JSON.parse(String(body)) };
    },
  };
  void gate.handler({ path } as HttpRequest, response as HttpResponse);
  assert.ok(sent, 'nothing was sent');
  return sent;
}

test('before the engine is open the server is alive, but not ready, and says what it does', () => {
  const gate = createGate();
  gate.setProgress('replaying journals');
  assert.deepEqual(ask(gate, '/health'), { status: 200, body: { status: 'alive' } });
  const ready = ask(gate, '/ready');
  assert.deepEqual(ready, { status: 503, body: { status: 'starting', progress: 'replaying journals' } });
  assert.ok(createAjv().validate(readySchema, ready.body));
  assert.deepEqual(ask(gate, '/health/'), ask(gate, '/health'));
  assert.deepEqual(ask(gate, '/ready/'), ready);
});

test('everything else is 503 with a time to come again', () => {
  const gate = createGate();
  assert.throws(
    () => ask(gate, '/api/datasets'),
    (error) => {
      assert.ok(error instanceof ProblemError);
      assert.deepEqual([error.status, error.key, error.headers], [503, 'Error.Starting', [['Retry-After', '1']]]);
      return true;
    },
  );
});

test('once opened it passes everything on', () => {
  const gate = createGate();
  ask(gate, '/ready');
  gate.open((request, response) => response.send(418, [], JSON.stringify({ path: request.path })));
  for (const path of ['/ready', '/health', '/api/datasets'])
    assert.deepEqual(ask(gate, path), { status: 418, body: { path } });
});
