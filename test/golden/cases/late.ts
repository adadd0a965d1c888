// Cases of late points.

import { ValueType } from '../../../engine/index.ts';
import type { Run } from '../../model/points.ts';
import { type MadeFolder, Scenario } from '../scenario.ts';
import { definitionsOf, doubles, FIRST_MS, HOUR_MS, run, series, walk } from './series.ts';

const COUNT = 320;

/** Blocks and heads of late points, in the journal and in a spill; corrected and cut ones among them. */
export async function makeLate(): Promise<MadeFolder> {
  const scenario = await Scenario.begin();
  await scenario.create({
    name: 'd',
    purgeAgeDays: 0,
    purgeSizeGb: 0,
    late: 'accept',
    lateToleranceMs: 30 * 24 * HOUR_MS,
  });
  const level = doubles('Level', walk(1, COUNT, 5), { stepMs: 2000 });
  const state = run('State', ValueType.String, ['on', 'off', 'on'], { stepMs: HOUR_MS });
  await scenario.define('d', definitionsOf([level, state]));
  await scenario.write('d', [level, state]);
  for (let request = 0; request < 4; request++) await scenario.writeLate('d', [lateLevels(request, 80)]);
  await scenario.writeLate('d', [
    run('State', ValueType.String, ['late', null], { stepMs: HOUR_MS / 2, firstMs: FIRST_MS + 1 }),
  ]);
  await scenario.forgetJournals();
  await scenario.writeLate('d', [lateLevels(6, 40)]);
  await scenario.restart();
  await scenario.writeLate('d', [lateLevels(7, 20)]);
  return scenario.leave('killed');
}

/** Between the others, in no order, some with ticks and some not good. */
function lateLevels(seed: number, count: number): Run {
  const timesMs = series(100 + seed, count, (_, random) => FIRST_MS + 1 + 2000 * random.between(0, COUNT - 2));
  // No point twice: it would not be stored again.
  const spread = { timesMs, ticksOf: (i: number) => i % 7, qualityOf: (i: number) => (i % 10 === 9 ? 0 : 192) };
  const values = walk(200 + seed, count, 9).map((value) => value + 1000 * seed);
  return doubles('Level', values, spread);
}
