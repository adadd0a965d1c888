import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCollectConfig } from '../../../../server/commands/collect/collect-config.ts';

const SOUND = {
  target: { dataset: 'plant' },
  endpoints: ['opc.tcp://127.0.0.1:4840'],
  nodes: [{ paths: ['Line1/*'] }],
};

function read(file: unknown, files: Readonly<Record<string, string>> = {}) {
  const all: Record<string, string> = { ...files, '/plant/opcua.json': JSON.stringify(file) };
  return readCollectConfig('/plant/opcua.json', {
    environment: { UA_PASSWORD: 'from the environment' },
    readFile: (path) => {
      const text = all[path];
      if (text === undefined) throw new Error('no such file');
      return text;
    },
  });
}

test('a short file has every default, and its folders lie beside it', () => {
  const config = read(SOUND);
  assert.equal(config.target.url.href, 'http://127.0.0.1:4511/');
  assert.equal(config.securityMode, 'None');
  assert.equal(config.certificateFolder, '/plant/collect-certificates');
  assert.equal(config.bufferFolder, '/plant/collect-data');
  assert.deepEqual(config.nodes, [
    {
      ids: [],
      paths: ['Line1/*'],
      name: '{browsePath}',
      samplingMs: 1000,
      queueSize: 10,
      deadband: undefined,
      parts: [],
    },
  ]);
});

test('secrets come from a file or the environment', () => {
  const target = { dataset: 'plant', token: { file: 'token.txt' } };
  const config = read(
    { ...SOUND, target, user: 'u', password: { environment: 'UA_PASSWORD' } },
    { '/plant/token.txt': 'abc\n' },
  );
  assert.equal(config.target.token, 'abc');
  assert.equal(config.password, 'from the environment');
});

const FAULTS: readonly (readonly [change: Record<string, unknown>, told: RegExp])[] = [
  [{ endpoints: ['http://plc'] }, /\/endpoints\/0: Got 'http:\/\/plc'; want opc\.tcp:/],
  [{ endpoints: ['opc.tcp://me:secret@plc:4840'] }, /\/endpoints\/0: It holds a user or a password/],
  [{ nodes: [{}] }, /\/nodes\/0: Want 'ids', 'paths', or both/],
  [{ nodes: [{ ids: ['Speed'] }] }, /\/nodes\/0\/ids\/0: Got 'Speed'; want such as ns=2/],
  [{ nodes: [{ paths: ['a'], name: '{path}' }] }, /\/nodes\/0\/name: Got '\{path\}'; want \{browsePath\}/],
  [{ nodes: [{ paths: ['a'], queueSize: 1 }] }, /\/nodes\/0\/queueSize/],
  [{ nodes: [{ paths: ['a'], deadband: {} }] }, /\/nodes\/0\/deadband: Want either/],
  [{ nodes: [{ paths: ['a'], parts: ['[0:2]', '3'] }] }, /\/nodes\/0\/parts\/1: Got '3'; want such as \[3\]/],
  [{ diagnostics: '$System.x' }, /\/diagnostics: names beginning with/],
  [{ securityMode: 'Sign' }, /\/securityMode: Got 'Sign' with the policy 'None'/],
  [{ password: 'p' }, /\/password: It needs a 'user'/],
  [{ colour: 'red' }, /colour/],
];

test('every fault is told with its place, and none with a password', () => {
  for (const [change, told] of FAULTS)
    assert.throws(
      () => read({ ...SOUND, ...change }),
      (error: Error) => told.test(error.message) && !error.message.includes('secret'),
      String(told),
    );
});
