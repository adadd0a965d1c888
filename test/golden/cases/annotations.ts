// Cases of annotations.

import { type MadeFolder, Scenario } from '../scenario.ts';
import { doubles, FIRST_MS, HOUR_MS } from './series.ts';

export async function makeAnnotations(): Promise<MadeFolder> {
  const scenario = await Scenario.begin();
  await scenario.create({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
  await scenario.write('d', [doubles('Known', [1, 2, 3])]);
  const start = { ms: FIRST_MS, ticks: 1234 };
  const end = { ms: FIRST_MS + HOUR_MS, ticks: 9999 };
  await scenario.annotate('d', { start, end, tag: 'Known', text: 'Pumpe getauscht \u{1F6B0}\nsiehe Buch' }, 'maria');
  const second = await scenario.annotate('d', { start, end: undefined, tag: undefined, text: 'Shift' }, undefined);
  const third = await scenario.annotate('d', { start: end, end: undefined, tag: undefined, text: 'gone' }, 'x');
  const changed = { start: { ms: FIRST_MS - 1, ticks: 0 }, end: start, tag: undefined, text: 'Shift change' };
  await scenario.changeAnnotation('d', second, changed, 'otto');
  await scenario.deleteAnnotation('d', third);
  await scenario.restart();
  await scenario.annotate('d', { start, end: start, tag: 'Known', text: 'after a start' }, undefined);
  return scenario.leave('killed');
}
