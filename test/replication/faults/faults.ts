// The faults of a round: each is begun, lasts for some requests, and is mended.

import type { SeededRandom } from '../../support/seeded-random.ts';
import type { FaultPlant } from './fault-plant.ts';
import type { PlantLoad } from './plant-load.ts';

export interface Fault {
  readonly name: string;
  run(parts: FaultParts): Promise<void>;
}

export interface FaultParts {
  readonly plant: FaultPlant;
  readonly load: PlantLoad;
  readonly random: SeededRandom;
}

const MOST_REQUESTS = 12;
const LONGEST_PAUSE_MS = 4_000;

export const FAULTS: readonly Fault[] = [
  {
    name: 'edge killed',
    async run({ plant, load, random }) {
      const sending = requests(load, random);
      await pause(random.below(300));
      await plant.killEdge();
      await sending;
      await plant.startEdge();
    },
  },
  {
    name: 'positions lost',
    async run({ plant, load, random }) {
      await requests(load, random);
      await plant.killEdge();
      plant.losePositions();
      await plant.startEdge();
    },
  },
  {
    name: 'replica killed',
    async run({ plant, load, random }) {
      const node = random.pick(plant.cluster.nodes);
      const sending = requests(load, random);
      await pause(random.below(600));
      await plant.cluster.killNode(node);
      await sending;
      await requests(load, random);
      await plant.cluster.startNode(node);
    },
  },
  {
    name: 'ZooKeeper killed',
    async run({ plant, load, random }) {
      const sending = requests(load, random);
      await pause(random.below(600));
      await plant.cluster.killZookeeper();
      await sending;
      await requests(load, random);
      await plant.cluster.startZookeeper();
    },
  },
  {
    name: 'slow centre',
    async run({ plant, load, random }) {
      const node = random.pick(plant.cluster.nodes);
      plant.cluster.pauseNode(node);
      await requests(load, random);
      await pause(random.below(LONGEST_PAUSE_MS));
      plant.cluster.resumeNode(node);
    },
  },
  {
    name: 'reader killed',
    async run({ plant, load, random }) {
      const sending = requests(load, random);
      await plant.restartReader();
      await sending;
    },
  },
  {
    name: "edge's disk full",
    async run({ plant, load, random }) {
      await requests(load, random);
      plant.edgeDisk.fill();
      await requests(load, random);
      await pause(random.below(1_500));
      plant.edgeDisk.makeRoom();
    },
  },
  {
    name: "replica's disk full",
    async run({ plant, load, random }) {
      plant.nodeDisk.fill();
      await requests(load, random);
      await pause(random.below(2_000));
      plant.nodeDisk.makeRoom();
    },
  },
  {
    name: 'cut, deleted and made again while disconnected',
    async run({ plant, load, random }) {
      await Promise.all([1, 2].map((node) => plant.cluster.killNode(node)));
      await requests(load, random);
      await load.cut();
      await load.recreate();
      if (random.chance(0.5)) {
        await plant.killEdge();
        if (random.chance(0.5)) plant.losePositions();
        await plant.startEdge();
      }
      await Promise.all([1, 2].map((node) => plant.cluster.startNode(node)));
    },
  },
];

async function requests(load: PlantLoad, random: SeededRandom): Promise<void> {
  for (let left = 1 + random.below(MOST_REQUESTS); left > 0; left--) await load.step();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
