// Cases of late points.

import { ValueType } from '../../../engine/index.ts';
import type { Run } from '../../model/points.ts';
import { type MadeFolder, Scenario } from '../scenario.ts';
import { DAY_MS, definitionsOf, doubles, FIRST_MS, HOUR_MS, run, series, walk } from './series.ts';

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

/**
 * A rule of purge was widened, purge has since freed the point that it had left, and all points were removed with the one that it
 * kept last: late points behind the newest one are read.
 */
export async function makePurgeWidened(): Promise<MadeFolder> {
  const scenario = await Scenario.begin({ blockPoints: 100 });
  const rules = { purgeSizeGb: 0, late: 'accept' } as const;
  const day = (days: number): { readonly firstMs: number } => ({ firstMs: FIRST_MS + days * DAY_MS });
  await scenario.create({ name: 'd', purgeAgeDays: 2, ...rules });
  await scenario.write('d', [doubles('T', walk(1, 200, 30))]);
  await scenario.write('d', [doubles('U', [10], day(10))]);
  await scenario.purge('d', () => day(8).firstMs);
  await scenario.update({ name: 'd', purgeAgeDays: 5, ...rules });
  await scenario.write('d', [doubles('T', walk(2, 200, 30), day(11))]);
  await scenario.writeLate('d', [doubles('T', [10.5], day(10.5))]);
  await scenario.write('d', [doubles('U', [18], day(18))]);
  await scenario.purge('d', () => day(13).firstMs);
  await scenario.cut('d', ['T'], { ms: day(11).firstMs, ticks: 0 });
  await scenario.write('d', [doubles('T', [19], day(19))]);
  await scenario.writeLate('d', [doubles('T', [17, 18], { ...day(17), stepMs: DAY_MS })]);
  return scenario.leave('stopped');
}

/** Between the others, in no order, some with ticks and some not good. */
function lateLevels(seed: number, count: number): Run {
  const timesMs = series(100 + seed, count, (_, random) => FIRST_MS + 1 + 2000 * random.between(0, COUNT - 2));
  // No point twice: it would not be stored again.
  const spread = { timesMs, ticksOf: (i: number) => i % 7, qualityOf: (i: number) => (i % 10 === 9 ? 0 : 192) };
  const values = walk(200 + seed, count, 9).map((value) => value + 1000 * seed);
  return doubles('Level', values, spread);
}
