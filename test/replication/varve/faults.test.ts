import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get } from '../../support/same-answers.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import { CopyLoad } from './copy-load.ts';
import { CopyPlant, SITE } from './copy-plant.ts';
import type { Fate } from './lossy-line.ts';

const ROUNDS = 7;
const STEPS = 12;
const SPOILT_LIMIT_MS = 3_000;

interface Round {
  readonly plant: CopyPlant;
  readonly random: SeededRandom;
  readonly steps: () => Promise<void>;
}

const FAULTS: Readonly<Record<string, (round: Round) => Promise<void>>> = {
  async 'requests lost'({ plant, random, steps }) {
    plant.line.fate = () => random.pick<Fate>(['passes', 'passes', 'lost before', 'lost after']);
    await steps();
  },
  async 'edge killed'({ plant, steps }) {
    const sending = steps();
    await plant.killEdge();
    await sending;
    await plant.startEdge();
  },
  async 'target killed'({ plant, steps }) {
    const sending = steps();
    await plant.restartTarget();
    await sending;
  },
  async 'positions lost'({ plant, steps }) {
    await steps();
    await plant.killEdge();
    plant.losePositions();
    await plant.startEdge();
  },
  async 'target away for long'({ plant, steps }) {
    plant.line.fate = () => 'lost before';
    for (let i = 0; i < 3; i++) await steps();
  },
  async 'target away, then the edge killed'({ plant, random, steps }) {
    plant.line.fate = () => 'lost before';
    await steps();
    await steps();
    await plant.killEdge();
    if (random.chance(0.5)) plant.losePositions();
    await plant.startEdge();
  },
  async 'answers lost, then both killed'({ plant, steps }) {
    plant.line.fate = (method) => (method === 'GET' ? 'passes' : 'lost after');
    await steps();
    await plant.killEdge();
    await plant.restartTarget();
    await plant.startEdge();
  },
};

for (const late of ['ignore', 'accept'] as const)
  test(`after each of seven faults edge and target answer alike, with late points that the edge would ${late}`, async (context) => {
    const seed = chooseSeed();
    context.diagnostic(`SEED=${seed}`);
    const random = new SeededRandom(seed);
    const plant = await CopyPlant.start();
    context.after(() => plant.stop());
    const load = new CopyLoad(random.fork(), () => plant.edgeUrl);
    await load.begin(late);
    const steps = async (): Promise<void> => {
      for (let i = 0; i < STEPS; i++) await load.step();
    };
    const order = random.shuffled(Object.keys(FAULTS));
    for (let round = 0; round < ROUNDS; round++) {
      const name = order[round % order.length] as keyof typeof FAULTS;
      await FAULTS[name]?.({ plant, random, steps });
      plant.line.fate = () => 'passes';
      const difference = await plant.difference();
      assert.equal(difference, undefined, `${name}: ${JSON.stringify(await plant.copies())}`);
    }
    assert.ok(load.accepted > load.requests / 3, `${load.accepted} of ${load.requests} requests were accepted`);
    await spoil(plant);
    assert.notEqual(await plant.difference(SPOILT_LIMIT_MS), undefined, 'a point more at the target is not noticed');
  });

/** The negative control: the comparison finds a single point. */
async function spoil(plant: CopyPlant): Promise<void> {
  const body = JSON.stringify({ 'T.Double': [{ t: '2089-01-01T00:00:00Z', v: 1 }] });
  await fetch(`${plant.targetUrl}/api/datasets/${SITE}.Plant/data`, { method: 'POST', body });
  await get(plant.targetUrl, `/api/datasets/${SITE}.Plant/data?tagname=T.Double`);
}
