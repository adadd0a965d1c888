// A day of 100,000 tags at one point a minute each, driven by a clock turned by hand: bytes written per byte kept, peak
// memory, files. Run: npm run bench:day -- [--tags 100000] [--minutes 1440]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { type Engine, openEngine, PointColumns, type PointRun, ValueType } from '../../engine/index.ts';
import { measureFolder } from '../support/folder-figures.ts';
import { PlantData } from '../support/plant-data.ts';
import { TurnedClock } from '../support/turned-clock.ts';

const { values } = parseArgs({
  options: { tags: { type: 'string', default: '100000' }, minutes: { type: 'string', default: '1440' } },
});
const TAGS = Number(values.tags);
const MINUTES = Number(values.minutes);
const TAGS_A_REQUEST = 10_000;
const START_MS = Date.UTC(2026, 0, 1);

const folder = mkdtempSync(`${tmpdir()}/varve-day-`);
const clock = new TurnedClock(START_MS);
const plant = new PlantData({ tagCount: TAGS, stepMs: 60_000, jitterMs: 100, startMs: START_MS, seed: 1 });
try {
  const engine = await openEngine({ folder, clock });
  const startedMs = performance.now();
  let peakMb = 0;
  for (let minute = 0; minute < MINUTES; minute++) {
    await writeMinute(engine, minute);
    clock.advance(60_000);
    peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1e6);
    if ((minute + 1) % 60 === 0) printProgress(engine, minute + 1, performance.now() - startedMs, peakMb);
  }
  const writtenBeforeStop = process.memoryUsage.rss() / 1e6;
  await engine.close();
  print(engine, performance.now() - startedMs, Math.max(peakMb, writtenBeforeStop));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function writeMinute(engine: Engine, minute: number): Promise<void> {
  for (let first = 0; first < TAGS; first += TAGS_A_REQUEST) {
    const count = Math.min(TAGS_A_REQUEST, TAGS - first);
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

function printProgress(engine: Engine, minutes: number, elapsedMs: number, peakMb: number): void {
  const { bytesWritten } = engine.stats();
  const mb = Object.entries(bytesWritten).map(([kind, bytes]) => `${kind} ${(bytes / 1e6).toFixed(0)}`);
  console.log(
    `${minutes} min, ${((minutes * TAGS) / elapsedMs / 1000).toFixed(2)} M points/s, peak ${peakMb.toFixed(0)} MB; MB written: ${mb.join(', ')}`,
  );
}

function print(engine: Engine, elapsedMs: number, peakMb: number): void {
  const { bytesWritten } = engine.stats();
  const written = Object.values(bytesWritten).reduce((sum, bytes) => sum + bytes, 0);
  const kept = measureFolder(`${folder}/plant`, (path) => !path.startsWith('journal/'));
  const total = TAGS * MINUTES;
  console.log(
    `${total} points in ${(elapsedMs / 1000).toFixed(0)} s (${(total / elapsedMs / 1000).toFixed(2)} M points/s)`,
  );
  for (const [kind, bytes] of Object.entries(bytesWritten))
    console.log(`written to ${kind}: ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / total).toFixed(2)} bytes a point`);
  console.log(
    `kept: ${(kept.bytes / 1e6).toFixed(1)} MB, ${(kept.bytes / total).toFixed(2)} bytes a point (${(kept.allocatedBytes / 1e6).toFixed(1)} MB allocated)`,
  );
  console.log(`bytes written per byte kept: ${(written / kept.bytes).toFixed(2)}`);
  console.log(`peak memory: ${peakMb.toFixed(0)} MB; files: ${kept.files}`);
}
