// The case of renamed tags.

import { type MadeFolder, Scenario } from '../scenario.ts';
import { DAY_MS, doubles, FIRST_MS, HOUR_MS } from './series.ts';

const VALUES = [1, 2.5, 3];
/** Enough for a tag file, which begins with the definition. */
const MANY_VALUES = Array.from({ length: 900 }, (_, i) => i / 4);

export async function makeRenamed(): Promise<MadeFolder> {
  const scenario = await Scenario.begin();
  await scenario.create({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
  await scenario.write('d', [doubles('Feed', VALUES), doubles('Pump', VALUES), doubles('Valve', VALUES)]);
  const start = { ms: FIRST_MS, ticks: 0 };
  await scenario.annotate('d', { start, end: undefined, tag: 'Feed', text: 'of the feed' }, 'maria');
  await scenario.rename('d', { from: 'Feed', to: 'Feed water', forwards: true, keepMs: 30 * DAY_MS });
  await scenario.rename('d', { from: 'Pump', to: 'Pump 1', forwards: false, keepMs: undefined });
  await scenario.advance(HOUR_MS);
  await scenario.write('d', [doubles('Feed water', MANY_VALUES, { firstMs: FIRST_MS + HOUR_MS })]);
  // These are in the catalog, those behind in the journal only.
  await scenario.restart();
  await scenario.rename('d', { from: 'Feed water', to: 'Boiler.Feed', forwards: true, keepMs: undefined });
  await scenario.rename('d', { from: 'Valve', to: 'Valve 1', forwards: false, keepMs: 0 });
  await scenario.define('d', [{ name: 'Valve', description: 'another one, under the name that is free' }]);
  await scenario.rename('d', { from: 'Pump 1', to: 'Pump', forwards: false, keepMs: undefined });
  await scenario.write('d', [doubles('Boiler.Feed', VALUES, { firstMs: FIRST_MS + 2 * HOUR_MS })]);
  return scenario.leave('killed');
}
