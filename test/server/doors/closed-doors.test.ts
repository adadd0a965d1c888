// Every door can be closed: then there is nothing at its paths.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOOR_NAMES, type DoorName } from '../../../server/settings/door-names.ts';
import { ServerProcess } from '../../support/server-process.ts';

const PATHS: Readonly<Record<DoorName, readonly string[]>> = {
  i3x: ['/i3x/v1/info', '/i3x/namespaces'],
  prometheus: ['/prometheus/api/v1/labels'],
  grafana: ['/grafana'],
  odata: ['/odata', '/odata/Tags'],
  mcp: ['/mcp'],
  'line-protocol': ['/ping', '/write', '/api/v2/write', '/query'],
  'opcua-browse': ['/api/sources/opcua', '/api/sources/opcua/browse'],
};

async function statuses(url: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const path of Object.values(PATHS).flat()) {
    const answer = await fetch(url + path);
    await answer.arrayBuffer();
    found[path] = answer.status;
  }
  return found;
}

test('each door closes by its name, and the others stay open', async (context) => {
  const all = await ServerProcess.start();
  context.after(() => all.stop());
  const open = await statuses(all.url);
  for (const [path, status] of Object.entries(open)) assert.notEqual(status, 404, path);
  for (const name of DOOR_NAMES) {
    const server = await ServerProcess.start({ flags: ['--close-door', name] });
    const found = await statuses(server.url);
    await server.stop();
    assert.deepEqual(found, { ...open, ...Object.fromEntries(PATHS[name].map((path) => [path, 404])) }, name);
  }
});
