// The configuration: the example of the page works as it stands, and each fault is told with its place.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readMqttConfig, type SourceConfig } from '../../../../../server/doors/mqtt/config/mqtt-config.ts';
import { finish } from '../../../../../server/doors/mqtt/mapping/steps.ts';
import { mapMessage } from '../../../../../server/doors/mqtt/mapping/topic-mapping.ts';
import { UsageError } from '../../../../../server/settings/read-settings.ts';
import { runServerToEnd } from '../../../../support/server-process.ts';
import { makeTempFolder } from '../../../../support/temp-folder.ts';

const page = readFileSync(new URL('../../../../../docs/mqtt.md', import.meta.url), 'utf8');
const TOPIC = { topic: 'a/{b}', dataset: 'd', tag: '{b}' };

function read(content: unknown, files: Record<string, string> = {}): readonly SourceConfig[] {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const readFile = (path: string): string => {
    const found = path === '/etc/mqtt.json' ? text : files[path];
    if (found === undefined) throw new Error(`ENOENT ${path}`);
    return found;
  };
  return readMqttConfig('/etc/mqtt.json', { readFile, environment: { BROKER_PASSWORD: 'from outside' } }).sources;
}

function source(more: object): unknown {
  return { sources: [{ name: 's', url: 'mqtt://h', topics: [TOPIC], ...more }] };
}

function topic(more: object): unknown {
  return source({ topics: [{ ...TOPIC, ...more }] });
}

function pointsOf(config: SourceConfig | undefined, topicName: string, payload: string): string[] {
  const levels = topicName.split('/');
  const mapping = config?.topics.find(({ pattern }) => pattern.matches(levels));
  assert.ok(mapping);
  const message = { topic: topicName, payload: Buffer.from(payload), arrivalMs: Date.UTC(2026, 0, 1) };
  return finish(mapMessage(mapping, message, levels)).map(({ dataset, tag, text }) => `${dataset} ${tag} ${text}`);
}

test('the first example of docs/mqtt.md does what the page says', () => {
  const example = /```json mqtt\.json\n([\s\S]*?)```/.exec(page)?.[1];
  assert.ok(example);
  const [config] = read(example);
  assert.deepEqual(pointsOf(config, 'plant/L1/press/temperature', '21.5'), ['plant L1.press.temperature {"v":21.5}']);
  assert.deepEqual(pointsOf(config, 'plant/L1/press/state', '{"ts":1760000000000,"speed":12.5,"ok":true}'), [
    'plant L1.press.Speed {"t":"2025-10-09T08:53:20.000Z","v":12.5}',
    'plant L1.press.Ok {"t":"2025-10-09T08:53:20.000Z","v":true}',
  ]);
});

test('the Sparkplug example of the page is one', () => {
  const example = /```json\n(\{ "topic": "spBv1[\s\S]*?)```/.exec(page)?.[1];
  const [config] = read(source({ topics: [JSON.parse(example ?? '')] }));
  const [mapping] = config?.topics ?? [];
  for (const name of ['spBv1.0/g/NDATA/n', 'spBv1.0/g/DDATA/n/d'])
    assert.ok(mapping?.pattern.matches(name.split('/')), name);
});

test('defaults of the page are those of the code', () => {
  const [config] = read(source({}));
  const names = ['keepAliveSeconds', 'sessionSeconds', 'inFlight', 'maxMessageBytes', 'sparkplugReorderMs'] as const;
  for (const name of names) assert.match(page, new RegExp(`^\\| \`${name}\` \\| ${config?.[name]} \\|`, 'm'));
  assert.equal(config?.clientId, 'varve-s');
});

test('passwords come from the text, a file or the environment; files lie beside the configuration', () => {
  const user = 'u';
  assert.equal(read(source({ user, password: 'plain' }))[0]?.password, 'plain');
  assert.equal(read(source({ user, password: { environment: 'BROKER_PASSWORD' } }))[0]?.password, 'from outside');
  const files = { '/etc/keys/secret': 'of the file\n' };
  assert.equal(read(source({ user, password: { file: 'keys/secret' } }), files)[0]?.password, 'of the file');
});

const FAULTS: readonly (readonly [what: string, content: unknown, message: RegExp])[] = [
  ['no JSON', '{', /mqtt\.json cannot be read/],
  ['no sources', {}, /\/: 'sources' is missing/],
  ['an unknown key', source({ ulr: 1 }), /\/sources\/0\/ulr: Unknown key.*url/],
  ['no url', source({ url: 'http://h' }), /\/sources\/0\/url: Got 'http:\/\/h'; want mqtt:\/\/host:1883/],
  ['a secret in the url', source({ url: 'mqtt://u:geheim@h' }), /\/sources\/0\/url: It holds a user or a password/],
  ['a password alone', source({ password: 'x' }), /\/sources\/0\/password: It needs a 'user'/],
  [
    'a missing variable',
    source({ user: 'u', password: { environment: 'NONE' } }),
    /password\/environment: .*NONE is not set/,
  ],
  ['a missing file', source({ user: 'u', password: { file: 'none' } }), /password\/file: The file none cannot be read/],
  ['both', source({ user: 'u', password: { file: 'a', environment: 'b' } }), /either 'file' or 'environment'/],
  ['a key alone', source({ url: 'mqtts://h', key: 'k' }), /\/sources\/0\/key: 'certificate' and 'key' go together/],
  ['certificates without TLS', source({ ca: 'c' }), /\/sources\/0\/url: .*want mqtts:\/\//],
  ['a # in the middle', topic({ topic: 'a/#/b' }), /\/topics\/0\/topic: '#' is not the last level/],
  ['a bad level', topic({ topic: 'a/b+' }), /\/topics\/0\/topic: The level 'b\+'/],
  ['two equal names', topic({ topic: '{b}/{b}' }), /two levels have the name \{b\}/i],
  [
    'an unknown placeholder',
    topic({ tag: '{c}' }),
    /\/topics\/0\/tag: Unknown placeholder \{c\}; here there are \{1\} to \{2\}, \{b\}/,
  ],
  ['a level that is not there', topic({ tag: '{3}' }), /\/topics\/0\/tag: Unknown placeholder \{3\}/],
  ['half a placeholder', topic({ dataset: 'a{b' }), /\/topics\/0\/dataset: A brace has no partner/],
  ['no tag', source({ topics: [{ topic: 'a', dataset: 'd' }] }), /\/topics\/0: 'tag' is missing/],
  [
    'JSON without values',
    topic({ payload: { format: 'json' } }),
    /\/topics\/0\/payload: 'value', 'values' or 'each' is missing/,
  ],
  [
    'several values for one tag',
    topic({ payload: { format: 'json', each: '' } }),
    /\/topics\/0\/tag: .*want \{field\} in it/,
  ],
  [
    'JSON members of plain values',
    topic({ payload: { format: 'plain', time: 't' } }),
    /'time' goes with the format json/i,
  ],
  ['too many in flight', source({ inFlight: 70_000 }), /\/sources\/0\/inFlight: Got 70000; want 1 to 65535/],
  [
    'two sources of one name',
    { sources: [0, 1].map(() => (source({}) as { sources: object[] }).sources[0]) },
    /\/sources\/1\/name/,
  ],
];

for (const [what, content, message] of FAULTS) {
  test(`a configuration with ${what} is refused, and the place is named`, () => {
    assert.throws(
      () => read(content),
      (error) => error instanceof UsageError && message.test(error.message) && !error.message.includes('geheim'),
    );
  });
}

test('the server does not start with a configuration that is wrong', async (context) => {
  const { code, stderr } = await runServerToEnd([
    '--data',
    makeTempFolder(context),
    '--port',
    '0',
    '--mqtt',
    '/none.json',
  ]);
  assert.equal(code, 2);
  assert.match(stderr, /The MQTT configuration \/none\.json cannot be read/);
});

test('a deadband is absolute, or a percentage of a range; what does not go together is told', () => {
  const rules = (deadband: object) => read(topic({ deadband }))[0]?.topics[0]?.rules;
  assert.deepEqual(rules({ absolute: 2 }), { deadband: 2, shortestMs: 0, longestMs: 600_000 });
  const percent = { percent: 1, range: [-50, 150], shortestMs: 10, longestMs: 1000 };
  assert.deepEqual(rules(percent), { deadband: 2, shortestMs: 10, longestMs: 1000 });
  assert.equal(read(topic({}))[0]?.topics[0]?.rules, undefined);
  for (const [deadband, fault] of [
    [{}, /deadband: Want either 'absolute' or 'percent'/],
    [{ percent: 1 }, /deadband: 'percent' and 'range' go together/],
    [{ absolute: 1, range: [0, 1] }, /deadband: 'percent' and 'range' go together/],
    [{ percent: 1, range: [5, 5] }, /deadband\/range: Got \[5, 5\]; want the lower end first/],
    [{ absolute: 1, shortestMs: 5, longestMs: 5 }, /deadband\/shortestMs: Got 5; want less than longestMs, 5/],
    [{ absolute: -1 }, /deadband\/absolute/],
  ] as const)
    assert.throws(() => rules(deadband), fault);
});
