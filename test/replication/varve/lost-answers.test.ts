// What was done at the target and not heard of at the edge is there: a deletion that follows at the edge takes it away.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type DatasetDocument, PassingFailure } from '../../../replication/sink.ts';
import { parseVarveAddress } from '../../../replication/varve/http/address.ts';
import { VarveSink } from '../../../replication/varve/varve-sink.ts';
import { startAccessServer } from '../../server/auth/support/access-server.ts';
import { get } from '../../support/same-answers.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import { type Fate, LossyLine } from './lossy-line.ts';
import { SteppedCopy } from './stepped-copy.ts';

const DATASET = { name: 'North.Plant', identity: '0123456789abcdef0123456789abcdef' };
const DOCUMENT: DatasetDocument = {
  revision: 1,
  edge: 'fedcba9876543210fedcba9876543210',
  edgeAddress: '',
  isDeleted: false,
  rules: { purgeAgeDays: 0, purgeSizeGb: 0 },
  copiedUntilMs: null,
  writtenMs: 0,
};
const GONE: DatasetDocument = { ...DOCUMENT, revision: 2, isDeleted: true };

const RESTARTS: Readonly<Record<string, (stepped: SteppedCopy) => void>> = {
  'while the edge runs': () => undefined,
  'and the edge is killed': (stepped) => stepped.end(),
  'and the edge is killed and loses its positions': (stepped) => {
    stepped.end();
    stepped.losePositions();
  },
};

for (const [name, restart] of Object.entries(RESTARTS))
  test(`a tag that was defined there without an answer goes when the edge deletes it, ${name}`, async (context) => {
    const stepped = await SteppedCopy.start(context);
    await stepped.settle();
    await stepped.write(0, 1);
    stepped.line.fate = (_, path) => (path === '/api/datasets/North.Plant/tags' ? 'lost after' : 'passes');
    await assert.rejects(stepped.round());
    assert.deepEqual(await stepped.tagsThere(), ['A'], 'the negative control: it is there');
    stepped.line.fate = () => 'passes';
    restart(stepped);
    await stepped.deleteTag();
    await stepped.settle();
    assert.deepEqual(await stepped.tagsThere(), []);
  });

test('a definition that was taken there without an answer, and is as before after a new start, is so there too', async (context) => {
  const stepped = await SteppedCopy.start(context);
  const define = (d: string, t: string) => stepped.ask('POST', '/Plant/tags', [{ n: 'A', d, t }]);
  await define('as it was', 'System.Double');
  await stepped.settle();
  await define('another', 'System.Int32');
  stepped.line.fate = (_, path) => (path === '/api/datasets/North.Plant/tags' ? 'lost after' : 'passes');
  await assert.rejects(stepped.round());
  stepped.line.fate = () => 'passes';
  const [edge, copy] = await stepped.everything();
  assert.equal(copy, edge, 'the negative control: it is there');
  stepped.end();
  await define('as it was', 'System.Double');
  await stepped.settle();
  const [edgeThen, copyThen] = await stepped.everything();
  assert.equal(copyThen, edgeThen);
});

/** A sink, and the names of the datasets at its target. */
async function openSink(
  context: TestContext,
): Promise<{ sink: () => VarveSink; line: LossyLine; names: () => Promise<string[]> }> {
  const target = await startAccessServer(context, 'node');
  const line = await LossyLine.open(target.url);
  context.after(() => line.close());
  const names = async () =>
    (JSON.parse(await get(target.url, '/api/datasets')) as { n: string }[]).map(({ n }) => n).sort();
  return { sink: () => new VarveSink(parseVarveAddress(`varve://127.0.0.1:${line.port}`)), line, names };
}

const HALVES: readonly (readonly [what: string, path: string, left: readonly string[]])[] = [
  ['the dataset', '/api/datasets/North.Plant', ['North.Plant', 'North.Plant.$copy']],
  ['what is noted of it', '/api/datasets/North.Plant.%24copy', ['North.Plant.$copy']],
];

for (const [what, path, left] of HALVES)
  test(`a removal that ended before ${what} was removed is finished by the next start of the edge`, async (context) => {
    const { sink, line, names } = await openSink(context);
    await sink().putDataset(DATASET, DOCUMENT);
    line.fate = (method, asked): Fate => (method === 'DELETE' && asked === path ? 'lost before' : 'passes');
    await assert.rejects(sink().putDataset(DATASET, GONE));
    assert.deepEqual(await names(), left);
    line.fate = () => 'passes';
    assert.deepEqual(await sink().datasets(), []);
    assert.deepEqual(await names(), []);
  });

test('a dataset that goes before more than the room for its notes was made leaves nothing', async (context) => {
  const { sink, line, names } = await openSink(context);
  line.fate = (method, path) => (method === 'POST' && path === '/api/datasets' ? 'lost after' : 'passes');
  await assert.rejects(sink().putDataset(DATASET, DOCUMENT));
  assert.deepEqual(await names(), ['North.Plant.$copy']);
  line.fate = () => 'passes';
  await sink().putDataset(DATASET, GONE);
  assert.deepEqual(await names(), []);
});

/** More of them by `TAG_SEEDS`: each goes its own way over a new edge and a new target. */
const SEEDS = Number(process.env.TAG_SEEDS ?? 2);
const STEPS = 20;
const TYPES = ['System.Double', 'System.Int32', 'System.Int64'];
const FATES: readonly Fate[] = ['passes', 'passes', 'lost before', 'lost after'];

/** A few names that are deleted and come again with other types, so that each stands for many tags. */
async function changeTags(stepped: SteppedCopy, random: SeededRandom, second: number): Promise<string> {
  const n = `T${random.below(3)}`;
  const kind = random.below(4);
  if (kind === 0) await stepped.ask('DELETE', `/Plant/tags/${n}`);
  else if (kind === 1)
    await stepped.ask('POST', '/Plant/tags', [{ n, t: random.pick(TYPES), d: random.pick(['', 'described']) }]);
  else
    await stepped.ask('POST', '/Plant/data', { [n]: [{ t: new Date(second * 1000).toISOString(), v: second % 100 }] });
  return `${['delete', 'define', 'write', 'write'][kind]} ${n}`;
}

async function faultyRounds(stepped: SteppedCopy, random: SeededRandom): Promise<string> {
  stepped.line.fate = () => random.pick(FATES);
  for (let rounds = random.between(1, 3); rounds > 0; rounds--)
    await stepped.round().catch((error: unknown) => assert.ok(error instanceof PassingFailure, String(error)));
  stepped.line.fate = () => 'passes';
  if (random.chance(0.6)) return 'faulty rounds';
  stepped.end();
  if (random.chance(0.5)) return 'faulty rounds, new start';
  stepped.losePositions();
  return 'faulty rounds, new start without positions';
}

for (let run = 0; run < SEEDS; run++)
  test(`tags that come, go and change their types come to the same where requests get lost, ${run}`, async (context) => {
    const seed = (chooseSeed() + run) >>> 0;
    context.diagnostic(`SEED=${seed}`);
    const random = new SeededRandom(seed);
    const stepped = await SteppedCopy.start(context);
    const log: string[] = [];
    for (let step = 0; step < STEPS; step++) {
      log.push(await changeTags(stepped, random, 1_800_000_000 + step));
      if (random.chance(0.5)) log.push(await faultyRounds(stepped, random));
      if (random.chance(0.7)) continue;
      await stepped.settle();
      const [edge, copy] = await stepped.everything();
      assert.equal(copy, edge, `SEED=${seed}: ${log.join(', ')}`);
    }
    await stepped.settle();
    const [edge, copy] = await stepped.everything();
    assert.equal(copy, edge, `SEED=${seed}: ${log.join(', ')}`);
  });
