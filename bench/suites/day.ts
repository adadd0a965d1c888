// Suite `day`: 100,000 tags at one point a minute each, driven by a clock turned by hand, in one process without HTTP.

import { type Engine, openEngine, PointColumns, type PointRun, ValueType } from '../../engine/index.ts';
import { measured, type RunFigures } from '../report/result.ts';
import type { SuiteRun } from '../suite-run.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { measureFolder } from '../support/folder-figures.ts';
import { PlantData } from '../support/plant-data.ts';
import { TurnedClock } from '../support/turned-clock.ts';

const TAGS_A_REQUEST = 10_000;
const START_MS = Date.UTC(2026, 0, 1);
const CASE_LIMIT_MS = 1_800_000;

export interface DayOptions {
  readonly tags: number;
  readonly minutes: number;
  readonly seed: number;
}

type Print = (line: string) => void;

/** What was written, and what it took. */
interface Written {
  readonly points: number;
  readonly elapsedMs: number;
  readonly peakMb: number;
}

export async function runDay(suite: SuiteRun): Promise<void> {
  const options = { tags: suite.size(100_000, 10_000), minutes: suite.size(1440, 60), seed: suite.options.seed };
  const name = `${options.tags.toLocaleString('en-US')} tags x ${options.minutes} minutes`;
  await suite.measure({ table: 'a day in one process', name, limitMs: CASE_LIMIT_MS, runs: 1 }, () =>
    measureDay(options, (line) => suite.progress(`    ${line}`)),
  );
}

/** Writes the day and prints its figures as lines, too. */
export function measureDay(options: DayOptions, print: Print): Promise<RunFigures> {
  const { tags, minutes, seed } = options;
  return withTempFolder('day', async (folder) => {
    const clock = new TurnedClock(START_MS);
    const plant = new PlantData({ tagCount: tags, stepMs: 60_000, jitterMs: 100, startMs: START_MS, seed });
    const engine = await openEngine({ folder, clock });
    const startedMs = performance.now();
    let peakMb = 0;
    for (let minute = 0; minute < minutes; minute++) {
      await writeMinute(engine, plant, minute);
      clock.advance(60_000);
      peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1e6);
      if ((minute + 1) % 60 === 0) {
        const written = { points: (minute + 1) * tags, elapsedMs: performance.now() - startedMs, peakMb };
        print(progressLine(engine, minute + 1, written));
      }
    }
    const beforeStopMb = process.memoryUsage.rss() / 1e6;
    await engine.close();
    const elapsedMs = performance.now() - startedMs;
    const written = { points: tags * minutes, elapsedMs, peakMb: Math.max(peakMb, beforeStopMb) };
    return report(engine, folder, written, print);
  });
}

async function writeMinute(engine: Engine, plant: PlantData, minute: number): Promise<void> {
  const tags = plant.shape.tagCount;
  for (let first = 0; first < tags; first += TAGS_A_REQUEST) {
    const count = Math.min(TAGS_A_REQUEST, tags - first);
    const points = new PointColumns(count);
    const runs: PointRun[] = [];
    const lookup = engine.lookup('plant');
    for (let i = 0; i < count; i++) {
      const name = plant.names[first + i] as string;
      points.timesMs[i] = plant.timeMs(minute);
      points.numbers[i] = plant.nextHundredths(first + i) / 100;
      points.qualities[i] = 192;
      runs.push({ name, tag: lookup.find(name), type: ValueType.Double, start: i, count: 1, rejected: 0, stamped: 0 });
    }
    points.count = count;
    await engine.append('plant', { points, runs });
  }
}

function progressLine(engine: Engine, minutes: number, { points, elapsedMs, peakMb }: Written): string {
  const { bytesWritten } = engine.stats();
  const mb = Object.entries(bytesWritten).map(([kind, bytes]) => `${kind} ${(bytes / 1e6).toFixed(0)}`);
  const rate = points / elapsedMs / 1000;
  return `${minutes} min, ${rate.toFixed(2)} M points/s, peak ${peakMb.toFixed(0)} MB; MB written: ${mb.join(', ')}`;
}

function report(
  engine: Engine,
  folder: string,
  { points: total, elapsedMs, peakMb }: Written,
  print: Print,
): RunFigures {
  const { bytesWritten } = engine.stats();
  const written = Object.values(bytesWritten).reduce((sum, bytes) => sum + bytes, 0);
  const kept = measureFolder(`${folder}/plant`, (path) => !path.startsWith('journal/'));
  const rate = total / elapsedMs / 1000;
  print(`${total} points in ${(elapsedMs / 1000).toFixed(0)} s (${rate.toFixed(2)} M points/s)`);
  for (const [kind, bytes] of Object.entries(bytesWritten))
    print(`written to ${kind}: ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / total).toFixed(2)} bytes a point`);
  print(
    `kept: ${(kept.bytes / 1e6).toFixed(1)} MB, ${(kept.bytes / total).toFixed(2)} bytes a point (${(kept.allocatedBytes / 1e6).toFixed(1)} MB allocated)`,
  );
  print(`bytes written per byte kept: ${(written / kept.bytes).toFixed(2)}`);
  print(`peak memory: ${peakMb.toFixed(0)} MB; files: ${kept.files}`);
  return [
    measured('rate', 'M points/s', 'more', rate),
    measured('written', 'B/pt', 'less', written / total),
    measured('kept', 'B/pt', 'less', kept.bytes / total),
    measured('written per byte kept', '', 'less', written / kept.bytes),
    measured('peak memory', 'MB', 'less', peakMb),
    measured('files', '', 'less', kept.files),
  ];
}
