// The warm-up of a server that has become ready: it goes through all of it, is in nobody's way, and leaves nothing.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from '../../engine/index.ts';
import { formatTokenFile } from '../../server/auth/tokens/token-file.ts';
import type { HttpHandler } from '../../server/http/contract/http-server.ts';
import type { TransportName } from '../../server/transport.ts';
import { WarmUp, type WarmUpOptions } from '../../server/warm-up/warm-up.ts';
import { ServerProcess } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const LIMIT_MS = 60_000;
const LOOK_MS = 20;
const ON = { VARVE_WARM_UP: 'on' };

/** Looks until it is so; false when time is up. */
async function comesTrue(isSo: () => boolean): Promise<boolean> {
  const endMs = performance.now() + LIMIT_MS;
  while (!isSo() && performance.now() < endMs) await delay(LOOK_MS);
  return isSo();
}

interface Seen {
  /** By method and form. */
  readonly requests: Map<string, number>;
  readonly faults: unknown[];
  /** How many were made, one for each pass. */
  apps: number;
}

/** A warm-up whose requests are only counted. */
function counting(folder: string, changes: Partial<WarmUpOptions> = {}): [warmUp: WarmUp, seen: Seen] {
  const seen: Seen = { requests: new Map(), faults: [], apps: 0 };
  const handler: HttpHandler = async (request, response) => {
    const kind = [request.method, request.header('content-type'), request.header('authorization')].join(' ').trim();
    await request.readBody(1e6);
    seen.requests.set(kind, (seen.requests.get(kind) ?? 0) + 1);
    response.send(204, []);
  };
  const options: WarmUpOptions = {
    folder,
    durability: 'os',
    reserveBytes: 0,
    transport: 'uws',
    appOf: () => {
      seen.apps++;
      return handler;
    },
    token: undefined,
    clientRequests: () => 0,
    onFault: (error) => seen.faults.push(error),
    ...changes,
  };
  return [new WarmUp(options), seen];
}

for (const transport of ['uws', 'node'] satisfies TransportName[]) {
  test(`writes in every form and reads, over ${transport}; then the folder is gone`, async (context) => {
    const folder = join(makeTempFolder(context), 'warm');
    const [warmUp, seen] = counting(folder, { transport, token: 'secret' });
    warmUp.start();
    assert.ok(await comesTrue(() => existsSync(folder)), 'it does not begin');
    assert.ok(await comesTrue(() => !existsSync(folder)), 'it does not end');
    await warmUp.stop();
    assert.deepEqual(seen.faults, []);
    const kinds = [...seen.requests.keys()].sort();
    assert.deepEqual(kinds, [
      'GET  Bearer secret',
      'POST application/json Bearer secret',
      'POST application/msgpack Bearer secret',
    ]);
    const json = seen.requests.get('POST application/json Bearer secret') ?? 0;
    const msgpack = seen.requests.get('POST application/msgpack Bearer secret') ?? 0;
    assert.equal(json, 3 * msgpack + 4 * seen.apps); // two of very many tags on each connection
    assert.ok(json >= 5, `${json} requests`);
  });
}

test('goes over several engines, with few tags, with many, and with more than a table of them holds', async (context) => {
  const engines = new Set<Engine>();
  const tagCounts = new Set<number>();
  const [warmUp, seen] = counting(join(makeTempFolder(context), 'warm'), {
    appOf: (engine) => {
      engines.add(engine);
      return async (request, response) => {
        const body = await request.readBody(1e7);
        if (request.header('content-type') === 'application/json') {
          tagCounts.add(Object.keys(JSON.parse(Buffer.from(body).toString()) as object).length);
        }
        response.send(204, []);
      };
    },
  });
  warmUp.start();
  assert.ok(
    await comesTrue(() => engines.size >= 3 && tagCounts.size >= 3),
    `${engines.size} engines; ${seen.faults.join()}`,
  );
  await warmUp.stop();
  assert.deepEqual(seen.faults, []);
  const [few = 0, many = 0, most = 0] = [...tagCounts].sort((a, b) => a - b);
  assert.ok(many >= 10 * few && most > 512, [...tagCounts].join(' '));
});

test('waits while clients come, and is left out once they have warmed the server up', async (context) => {
  const folder = join(makeTempFolder(context), 'warm');
  let sent = 0;
  // By each look, not by a clock of its own: on a busy machine the two would run apart.
  const [warmUp, seen] = counting(folder, { clientRequests: () => (sent += 100) });
  warmUp.start();
  assert.ok(await comesTrue(() => sent > 1000));
  await delay(1500);
  assert.deepEqual([existsSync(folder), seen.requests.size, seen.faults], [false, 0, []]);
  await warmUp.stop();
});

test('begins when clients have become quiet, and ends when they come again', async (context) => {
  const folder = join(makeTempFolder(context), 'warm');
  let sent = 0;
  let areBusy = true;
  const engines = new Set<Engine>();
  const [warmUp, seen] = counting(folder, {
    clientRequests: () => {
      if (areBusy) sent += 100;
      return sent;
    },
    appOf: (engine) => {
      engines.add(engine);
      sent += 600;
      return async (request, response) => {
        await request.readBody(1e7);
        response.send(204, []);
      };
    },
  });
  warmUp.start();
  assert.ok(await comesTrue(() => sent > 200));
  assert.equal(existsSync(folder), false);
  areBusy = false;
  assert.ok(await comesTrue(() => engines.size > 0), 'it does not begin');
  assert.ok(await comesTrue(() => !existsSync(folder)), 'it does not end');
  await warmUp.stop();
  assert.deepEqual([engines.size, seen.faults], [1, []]);
});

test('is not begun by a server that is stopped first', async (context) => {
  const [warmUp, seen] = counting(join(makeTempFolder(context), 'warm'));
  warmUp.start();
  await delay(LOOK_MS);
  await warmUp.stop();
  assert.deepEqual([seen.requests.size, seen.faults], [0, []]);
});

test('a fault is reported, and is nobody’s concern', async (context) => {
  const folder = makeTempFolder(context);
  writeFileSync(join(folder, 'file'), '');
  const [warmUp, seen] = counting(join(folder, 'file', 'warm'));
  warmUp.start();
  await warmUp.stop();
  assert.equal(seen.faults.length, 1);
  warmUp.tidy();
  await warmUp.stop();
  assert.equal(seen.faults.length, 2);
  const [refused, seenThen] = counting(join(folder, 'warm'), {
    appOf: () => (_request, response) => response.send(403, []),
  });
  refused.start();
  assert.ok(await comesTrue(() => seenThen.faults.length > 0));
  assert.match(String(seenThen.faults[0]), /POST \/api\/datasets\/warm-up\/data: 403/);
  await refused.stop();
  assert.equal(existsSync(join(folder, 'warm')), false);
});

for (const withTokens of [false, true]) {
  test(`a server ${withTokens ? 'with tokens ' : ''}warms up through all of it, and clients see none of that`, async (context) => {
    const dataFolder = join(makeTempFolder(context), 'data');
    if (withTokens) {
      mkdirSync(join(dataFolder, '.access'), { recursive: true });
      writeFileSync(join(dataFolder, '.access/tokens.json'), formatTokenFile([]), { mode: 0o600 });
    }
    const server = await ServerProcess.start({ dataFolder, environment: ON });
    const own = join(dataFolder, '.warm-up');
    const tagFiles = join(own, '1', 'warm-up', 'tags');
    try {
      // Blocks are written: so its requests are accepted.
      assert.ok(await comesTrue(() => existsSync(tagFiles) && readdirSync(tagFiles, { recursive: true }).length > 20));
      const answer = await fetch(`${server.url}/api/datasets`);
      if (withTokens) assert.equal(answer.status, 401);
      else assert.deepEqual(await answer.json(), []);
      assert.ok(await comesTrue(() => !existsSync(own)), 'the folder stays');
      assert.ok(!server.logLines.some((line) => /warm-up/i.test(line)), server.logLines.join('\n'));
    } finally {
      await server.stop();
    }
  });
}

test('a server that is stopped meanwhile takes its folder along; one that is killed, at the next start', async (context) => {
  const dataFolder = join(makeTempFolder(context), 'data');
  const own = join(dataFolder, '.warm-up');
  const stopped = await ServerProcess.start({ dataFolder, environment: ON });
  assert.ok(await comesTrue(() => existsSync(own)));
  await stopped.stop();
  assert.equal(existsSync(own), false);
  const killed = await ServerProcess.start({ dataFolder, environment: ON });
  assert.ok(await comesTrue(() => existsSync(own)));
  await killed.kill();
  assert.equal(existsSync(own), true);
  const server = await ServerProcess.start({ dataFolder, environment: { VARVE_WARM_UP: 'off' } });
  try {
    assert.ok(await comesTrue(() => !existsSync(own)), 'the folder stays');
    assert.deepEqual(await (await fetch(`${server.url}/api/datasets`)).json(), []);
  } finally {
    await server.stop();
  }
});
