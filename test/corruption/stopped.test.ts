// Every damage of every kind of file of a plant that was stopped cleanly and has lost its retired journals: only what is
// in the damaged bytes is gone, and every read says so.

import { before, describe, it } from 'node:test';
import { damageExhaustively } from './exhaustive.ts';
import { FOLDER } from './plant.ts';
import { makeScenarios, pathsOf } from './scenarios.ts';
import type { SoundPlant } from './verdict.ts';

describe('after a clean stop, without journals', () => {
  let plant: SoundPlant;
  before(async () => {
    plant = (await makeScenarios()).stopped;
  });

  it('a damaged dataset.json takes no point away', () => damageExhaustively(plant, `${FOLDER}/dataset.json`));
  it('a damaged catalog takes no point away; a tag whose definition is lost gets a name of its own', () =>
    damageExhaustively(plant, `${FOLDER}/catalog`));
  it('damage in a spill takes the damaged blocks away, and nothing else', () =>
    damageExhaustively(plant, `${FOLDER}/spill/0000000001`));
  it('damage in a sealed tag file takes the damaged blocks away, and nothing else', () =>
    damageExhaustively(plant, pathsOf(plant).sealed[0] ?? ''));
  it('damage in an open tag file takes the damaged blocks away, and nothing else', () =>
    damageExhaustively(plant, pathsOf(plant).open[0] ?? ''));
});
