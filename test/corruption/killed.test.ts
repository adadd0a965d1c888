// Every damage of every kind of file of a plant that was killed: the journals hold every point, so all of them are there
// unless a journal itself is damaged, and then all of the other records.

import { before, describe, it } from 'node:test';
import { damageExhaustively } from './exhaustive.ts';
import { FOLDER } from './plant.ts';
import { makeScenarios, pathsOf } from './scenarios.ts';
import type { SoundPlant } from './verdict.ts';

describe('after a kill', () => {
  let plant: SoundPlant;
  before(async () => {
    plant = (await makeScenarios()).killed;
  });

  it('a damaged dataset.json takes no point away', () => damageExhaustively(plant, `${FOLDER}/dataset.json`));
  it('a damaged catalog takes no point away', () => damageExhaustively(plant, `${FOLDER}/catalog`));
  it('a damaged sealed tag file takes no point away', () => damageExhaustively(plant, pathsOf(plant).sealed[0] ?? ''));
  it('a damaged open tag file takes no point away', () => damageExhaustively(plant, pathsOf(plant).open[0] ?? ''));
  it('damage in the first journal takes the damaged records away, and nothing else', () =>
    damageExhaustively(plant, pathsOf(plant).journals[0] ?? ''));
  it('damage in the last journal takes the damaged records away, and nothing else', () =>
    damageExhaustively(plant, pathsOf(plant).journals.at(-1) ?? ''));
});
