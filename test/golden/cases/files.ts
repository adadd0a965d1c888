// Cases of files: journals, spills, tag files with and without index, what purge leaves, and a data folder of several datasets.

import { ValueType } from '../../../engine/index.ts';
import type { View } from '../../../server/views/view.ts';
import { formatViewFile, VIEWS_FOLDER } from '../../../server/views/view-file.ts';
import { FOLDER, type MadeFolder, Scenario } from '../scenario.ts';
import { DAY_MS, definitionsOf, doubles, FIRST_MS, HOUR_MS, onceUncertain, run, series, walk } from './series.ts';

const RULELESS = { purgeAgeDays: 0, purgeSizeGb: 0 };

/** Every operation and every form of a run, on tags that the catalog knows and others, in several journals. */
export async function makeJournal(): Promise<MadeFolder> {
  const { Boolean: Flag, Byte, Decimal, DateTime, Int32, Int64, Open, Single, String: Text, UInt64 } = ValueType;
  const scenario = await Scenario.begin({ journalFileBytes: 1000 });
  await scenario.create({ name: 'd', ...RULELESS });
  await scenario.define('d', [{ name: 'Described', type: ValueType.Double, description: 'before' }]);
  await scenario.write('d', [
    doubles(
      'Known',
      series(1, 20, (i) => i),
    ),
    doubles('Gone', [1]),
    run('Count', Int32, [1, 2]),
  ]);
  await scenario.restart();
  const later = { firstMs: FIRST_MS + DAY_MS };
  await scenario.define('d', [
    { name: 'Described', description: 'after', format: '0', units: new Map([[0, 'm']]), fields: new Map([['a', 'b']]) },
    { name: 'New', type: Text },
  ]);
  await scenario.deleteTags('d', ['Gone']);
  await scenario.cut('d', ['Known', 'Count'], { ms: FIRST_MS + 15_000, ticks: 0 });
  await scenario.write('d', [doubles('Known', [0.5, 1.25, 100], later), run('Count', Int32, [3, 4, 5], later)]);
  await scenario.cut('d', ['Known'], { ms: FIRST_MS + DAY_MS + 2000, ticks: 0 });
  // Plain: each number of decimals, each size of words.
  const plain = Array.from({ length: 10 }, (_, decimals) =>
    doubles(
      `Plain${decimals}`,
      [1, 2, 3].map((m) => m / 10 ** decimals),
    ),
  );
  await scenario.define('d', definitionsOf(plain));
  await scenario.write('d', plain);
  const sizes = [
    doubles(
      'Small',
      series(2, 5, (i) => i % 100),
    ),
    doubles(
      'Medium',
      series(3, 5, (i) => i * 1000),
    ),
    doubles(
      'Large',
      series(4, 5, (i) => i * 1_000_000),
      { stepMs: HOUR_MS },
    ),
    doubles('Wraps', [2_147_483_647, -2_147_483_648]),
    doubles('One', [7]),
    run('Byte', Byte, [0, 255, 1]),
  ];
  await scenario.define('d', definitionsOf(sizes));
  await scenario.write('d', sizes);
  // General: each number of decimals, raw, 64 bits, texts; ticks, nulls and qualities.
  const general = Array.from({ length: 7 }, (_, decimals) =>
    doubles(
      `General${decimals}`,
      series(5 + decimals, 9, (i) => (i * 2 + 1) / 10 ** decimals),
      { qualityOf: onceUncertain },
    ),
  );
  await scenario.write('d', general);
  await scenario.write('d', [
    doubles('Raw', [Math.PI, -0, 1 / 3]),
    doubles('Ticks', [1, 2, 3], { ticksOf: (i) => i * 1234 }),
    doubles('Nulls', [1, null, 3]),
    run('Open', Open, [null, null]),
    run('Flag', Flag, [0, 1, 1]),
    run('Single', Single, [0.5, Math.fround(0.1)]),
    run('Int64', Int64, [-(2n ** 63n), 9_007_199_254_740_993n]),
    run('UInt64', UInt64, [-1n, 1n]),
    run('DateTime', DateTime, [639_000_000_000_000_000n]),
    run('Decimal', Decimal, ['1.50', '-79228162514264337593543950335']),
    run('New', Text, ['', 'Grüße', '\u{1F6B0}']),
  ]);
  const rest = ['SByte', 'Int16', 'UInt16', 'UInt32'] as const;
  await scenario.write(
    'd',
    rest.map((name) => run(name, ValueType[name], [1, 2])),
  );
  await scenario.write('d', [doubles('Stamped', [1, 2])], 'stamped');
  await scenario.writeTogether('d', [
    [doubles('Together1', [1])],
    [doubles('Together2', [2])],
    [doubles('Together3', [3])],
  ]);
  await scenario.postStatus('d', [
    { time: { ms: FIRST_MS, ticks: 0 }, quality: 192 },
    { time: { ms: FIRST_MS + 60_000, ticks: 0 }, quality: 28 },
  ]);
  return scenario.leave('killed');
}

/** Short heads of many tags: packed pages, a stored one, and a catalog of several records. */
export async function makeSpill(): Promise<MadeFolder> {
  const { Int64, String: Text, UInt64 } = ValueType;
  const scenario = await Scenario.begin();
  await scenario.create({ name: 'd', ...RULELESS });
  const name = (i: number): string => `Tag${String(i).padStart(3, '0')}`;
  // Half of the tags are known before, so that their points are plain.
  const short = series(1, 270, (i, random) => doubles(name(i), [i, i + random.below(100) / 100]));
  await scenario.define('d', definitionsOf(short.slice(100)));
  await scenario.write('d', short);
  const irrational = (seed: number): number[] => series(seed, 140, (_, random) => Math.sqrt(random.below(1e6)));
  await scenario.write(
    'd',
    series(2, 12, (i) => doubles(`Zlong${String(i).padStart(2, '0')}`, irrational(100 + i).slice(0, 120))),
  );
  // What the catalog says of newest points: none, null, a number, 64 bits, a text, and several of one time.
  await scenario.define('d', [{ name: 'Empty', type: Text }]);
  await scenario.write('d', [
    run('Null', ValueType.Double, [1, null]),
    run('Wide', Int64, [2n ** 53n + 1n]),
    run('Wider', UInt64, [-1n]),
    run('Word', Text, ['Grüße']),
    doubles('Tie', [1, 2, 3], { stepMs: 0, ticksOf: () => 77 }),
  ]);
  await scenario.deleteTags('d', [name(7), name(8)]);
  await scenario.cut('d', [name(9)], { ms: FIRST_MS + 1000, ticks: 0 });
  await scenario.forgetJournals();
  return scenario.leave('stopped');
}

/** Tag files that were closed by an index, one after the other, and the one that is appended to. */
export async function makeSealed(): Promise<MadeFolder> {
  const scenario = await Scenario.begin({ tagFileBytes: 1200, tagFileSpanMs: 300 * DAY_MS, blockPoints: 100 });
  await scenario.create({ name: 'd', ...RULELESS });
  await scenario.define('d', [
    { name: 'Grown', type: ValueType.Double, description: 'By size', units: new Map([[0, 'K']]) },
  ]);
  const values = walk(1, 800, 40);
  for (let from = 0; from < 800; from += 200)
    await scenario.write('d', [doubles('Grown', values.slice(from, from + 200), { firstMs: FIRST_MS + from * 1000 })]);
  const years = (i: number): number => FIRST_MS - (400 - i) * 3 * DAY_MS;
  for (let from = 0; from < 400; from += 200) {
    const timesMs = Array.from({ length: 200 }, (_, i) => years(from + i));
    await scenario.write('d', [doubles('Long', walk(2 + from, 200, 9), { timesMs })]);
  }
  return scenario.leave('stopped');
}

/** Spills that became tag files are kept a while, and so are the journals that they came from. */
export async function makeAbsorbed(): Promise<MadeFolder> {
  const scenario = await Scenario.begin({ maxSpills: 2 });
  await scenario.create({ name: 'd', ...RULELESS });
  for (let k = 0; k < 3; k++) {
    const firstMs = FIRST_MS + k * HOUR_MS;
    const twins = ['A', 'B', 'C'].map((name) =>
      doubles(
        name,
        series(k, 12, (i) => (k * 100 + i) / 8),
        { firstMs },
      ),
    );
    const words = run('Words', ValueType.String, [`k${k}`, null, 'end'], { firstMs });
    await scenario.write('d', [...twins, words]);
    await scenario.restart();
  }
  await scenario.advance(1000); // the spills are looked at every second
  await scenario.write('d', [doubles('A', [99], { firstMs: FIRST_MS + DAY_MS })]);
  return scenario.leave('killed');
}

/** 31 days, of which purge by age leaves ten; the file that is divided was written anew. */
async function purgeByAge(): Promise<Scenario> {
  const scenario = await Scenario.begin({ blockPoints: 100, tagFileSpanMs: 12 * DAY_MS });
  await scenario.create({ name: 'd', ...RULELESS, lateToleranceMs: 5000, lateAgeDays: 3 });
  const values = walk(1, 600, 30);
  const spread = { stepMs: DAY_MS / 20 };
  for (let from = 0; from < 600; from += 100)
    await scenario.write('d', [
      doubles('Days', values.slice(from, from + 100), { ...spread, firstMs: FIRST_MS + from * spread.stepMs }),
    ]);
  await scenario.write('d', [doubles('Old', [1, 2, 3]), run('Ended', ValueType.Int64, [5n])]);
  const rules = { name: 'd', purgeAgeDays: 4, purgeSizeGb: 0, lateToleranceMs: 5000, lateAgeDays: 3 };
  await scenario.update(rules);
  await scenario.purge('d', () => Date.UTC(2026, 0, 31) - spread.stepMs - rules.purgeAgeDays * DAY_MS);
  return scenario;
}

export async function makePurged(): Promise<MadeFolder> {
  const scenario = await purgeByAge();
  return scenario.leave('stopped');
}

/** The rule is taken back: what it has hidden stays hidden. */
export async function makePurgeLifted(): Promise<MadeFolder> {
  const scenario = await purgeByAge();
  await scenario.update({ name: 'd', ...RULELESS });
  await scenario.write('d', [doubles('Late', [1, 2])]);
  return scenario.leave('stopped');
}

/** Purge by size: a cut that no age explains. */
export async function makePurgedBySize(): Promise<MadeFolder> {
  const scenario = await Scenario.begin({ blockPoints: 100, tagFileBytes: 8000 });
  await scenario.create({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0.00005 });
  for (let from = 0; from < 4000; from += 500) {
    const values = series(from, 500, (_, random) => random.unit());
    await scenario.write('d', [doubles('Noise', values, { firstMs: FIRST_MS + from * 1000 })]);
  }
  await scenario.purge('d', () => cutOf(scenario, 'sizePurgedBeforeMs'));
  return scenario.leave('stopped');
}

/** What purge by size has chosen depends on the size of all files; dataset.json says it in plain text. */
function cutOf(scenario: Scenario, field: string): number {
  const text = new TextDecoder().decode(scenario.vfs.content(`${FOLDER}/d/dataset.json`));
  const cutMs: unknown = (JSON.parse(text) as Record<string, unknown>)[field];
  if (typeof cutMs !== 'number') throw new Error(`dataset.json has no ${field}`);
  return cutMs;
}

const VIEWS: readonly View[] = [
  {
    head: {
      id: '4f1d09a2b6c83e57d012',
      kind: 'trend',
      name: 'Speisewasser \u{1F6B0}',
      folder: 'Nord/Kessel',
      owner: 'maria',
      datasets: ['Plant', 'Größe / m²'],
      changed: '2026-02-01T00:00:00.000Z',
      revision: 3,
    },
    content: '{"traces":[{"tag":"T"}]}',
  },
  {
    head: {
      id: '00000000000000000001',
      kind: 'dashboard',
      name: 'D',
      folder: '',
      datasets: [],
      changed: '2026-02-01T00:00:00.000Z',
      revision: 1,
    },
    content: '{}',
  },
];

/** Several datasets, names that are escaped, and one that was deleted a short while ago. */
export async function makeDataFolder(): Promise<MadeFolder> {
  const scenario = await Scenario.begin();
  const names = ['Plant', 'plant', 'Größe / m²', 'con', 'a.b c'];
  for (const [i, name] of names.entries()) {
    await scenario.create({ name, purgeAgeDays: i, purgeSizeGb: i / 2 });
    await scenario.write(name, [doubles('T', [i])]);
  }
  await scenario.create({ name: 'Deleted', ...RULELESS });
  await scenario.write('Deleted', [doubles('T', [1])]);
  await scenario.deleteDataset('Deleted');
  const { files, holds } = await scenario.leave('stopped');
  const viewFiles = VIEWS.map((view) => [`${VIEWS_FOLDER}/${view.head.id}.json`, formatViewFile(view)] as const);
  return { files: new Map([...files, ...viewFiles]), holds: { deleted: ['Deleted'], views: VIEWS, ...holds } };
}

/** A tag file was lost: the catalog notes it, and reads tell of the points. */
export async function makeMissingFile(): Promise<MadeFolder> {
  const scenario = await Scenario.begin({ tagFileBytes: 400, blockPoints: 100 });
  await scenario.create({ name: 'd', ...RULELESS });
  const values = walk(1, 400, 40);
  for (let from = 0; from < 400; from += 200)
    await scenario.write('d', [doubles('Lost', values.slice(from, from + 200), { firstMs: FIRST_MS + from * 1000 })]);
  await scenario.forgetJournals();
  await scenario.stop();
  scenario.lose('d', 'Lost', 200, 'd/tags/40/64.0');
  await scenario.start();
  return scenario.leave('stopped');
}
