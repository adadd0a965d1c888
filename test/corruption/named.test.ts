// Damages by name: what operators, disks and copies do to files, and how much must survive each.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { INDEX_FOOTER } from '../../engine/format/block/block-index.ts';
import { JOURNAL_HEADER } from '../../engine/format/bytes/file-headers.ts';
import { FRAME_HEADER } from '../../engine/format/bytes/frame.ts';
import { checkFolder } from '../../engine/index.ts';
import { readJournal } from '../../engine/journal/journal-reader.ts';
import { buildBatch, type Point, readPoints } from '../model/points.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryVfs } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { openTestEngine } from '../support/test-engine.ts';
import { type Damage, flipped, truncated, zeroed } from './damages.ts';
import { type DiskImage, diskOf, takeImage, withFile } from './disk-image.ts';
import type { Piece } from './pieces.ts';
import { DATASET, FOLDER, openPlant, POINTS, TUNABLES } from './plant.ts';
import { makeScenarios, pathsOf, type Scenarios } from './scenarios.ts';
import { judge, judgeImage, type SoundPlant } from './verdict.ts';

const CATALOG = `${FOLDER}/catalog`;
const SPILL = `${FOLDER}/spill/0000000001`;

function bytesOf(plant: SoundPlant, path: string): Uint8Array {
  const bytes = plant.image.get(path);
  assert.ok(bytes, `no file ${path}`);
  return bytes;
}

/** The last piece of a file that holds points. */
function lastWithPoints(plant: SoundPlant, path: string): Piece {
  const piece = plant.pieces.findLast((other) => other.path === path && other.points.length > 0);
  assert.ok(piece);
  return piece;
}

async function expectEvents(plant: SoundPlant, damage: Damage, events: readonly string[]): Promise<number> {
  const verdict = await judge(plant, damage);
  const seen = new Set(verdict.events.map(({ event }) => event));
  for (const event of events) assert.ok(seen.has(event), `no ${event} among ${[...seen].join()}`);
  return verdict.lost;
}

describe('damages by name', () => {
  let killed: SoundPlant;
  let stopped: SoundPlant;
  before(async () => {
    const scenarios: Scenarios = await makeScenarios();
    killed = scenarios.killed;
    stopped = scenarios.stopped;
  });

  it('a torn last record is cut, and the records before it survive (D3)', async () => {
    const path = pathsOf(killed).journals.at(-1) as string;
    const record = lastWithPoints(killed, path);
    const lost = await expectEvents(killed, truncated(path, bytesOf(killed, path), record.to - 1), [
      'journal.tail-cut',
    ]);
    assert.ok(lost > 0);
  });

  it('a record with a bad checksum is stepped over, and the records behind it survive (D3)', async () => {
    const path = pathsOf(killed).journals[0] as string;
    const record = killed.pieces.find((piece) => piece.path === path && piece.points.length > 0) as Piece;
    const damage = flipped(path, bytesOf(killed, path), record.from + FRAME_HEADER.sizeBytes - 1, 1);
    await expectEvents(killed, damage, ['journal.damaged']);
  });

  it('a record whose length runs past the end, or into the next, is stepped over', async () => {
    const path = pathsOf(killed).journals[0] as string;
    const record = killed.pieces.find((piece) => piece.path === path && piece.points.length > 0) as Piece;
    for (const mask of [0x01, 0x40]) {
      await expectEvents(killed, flipped(path, bytesOf(killed, path), record.from + 4, mask), ['journal.damaged']);
      await expectEvents(killed, flipped(path, bytesOf(killed, path), record.from + 7, mask), ['journal.damaged']);
    }
  });

  it('a journal without its first sector gives every record that is whole behind it', async () => {
    const path = pathsOf(killed).journals[1] as string;
    const bytes = bytesOf(killed, path).slice();
    const records = killed.pieces.filter((piece) => piece.path === path && !piece.isKey);
    assert.ok(records.length >= 3, `${records.length} records`);
    bytes.fill(0, 0, (records[0] as Piece).to);
    const intact = records.slice(1);
    const verdict = await judgeImage(
      withFile(killed.image, path, bytes),
      killed,
      (piece) => piece.path !== path || intact.includes(piece),
    );
    assert.ok(verdict.events.some(({ event }) => event === 'journal.damaged'));
  });

  it('zeros behind the last record are no damage', async () => {
    const path = pathsOf(killed).journals.at(-1) as string;
    const bytes = bytesOf(killed, path);
    const longer = new Uint8Array(bytes.length + 500);
    longer.set(bytes);
    const verdict = await judge(killed, { path, what: 'zeros behind', bytes: longer });
    assert.equal(verdict.lost, 0);
    assert.deepEqual(
      verdict.events.filter(({ level }) => level !== 'info'),
      [],
    );
  });

  it('zeros in place of the last record of a journal show by the next one', async () => {
    const path = pathsOf(killed).journals[0] as string;
    const bytes = bytesOf(killed, path).slice();
    bytes.fill(0, lastWithPoints(killed, path).from);
    assert.ok((await expectEvents(killed, { path, what: 'zeros at the end', bytes }, ['journal.missing'])) > 0);
    const { findings } = checkFolder(diskOf(withFile(killed.image, path, bytes)), 'data');
    assert.ok(
      findings.some(({ message }) => /^got record \d+; want \d+$/.test(message)),
      JSON.stringify(findings),
    );
  });

  it('a record of an older file behind the last one is not taken for a new one', async () => {
    const [first, ...others] = pathsOf(killed).journals as [string, ...string[]];
    const last = others.at(-1) as string;
    const stale = bytesOf(killed, first).subarray(JOURNAL_HEADER.sizeBytes);
    const bytes = new Uint8Array([...bytesOf(killed, last), ...stale]);
    const verdict = await judge(killed, { path: last, what: 'stale records behind', bytes });
    assert.equal(verdict.lost, 0);
  });

  it('a journal under a second number is left alone', async () => {
    const path = pathsOf(killed).journals[0] as string;
    const image = withFile(killed.image, `${FOLDER}/journal/0000000009`, bytesOf(killed, path));
    const verdict = await judgeImage(image, killed, () => true);
    assert.equal(verdict.lost, 0);
    assert.ok(verdict.events.some(({ event }) => event === 'journal.damaged'));
  });

  it('a journal of another dataset that repeats record numbers gives none of its points to this one', async () => {
    const foreign = await journalOfAnother();
    const lastRecord = Math.max(...pathsOf(killed).journals.map((path) => sequencesOf(killed.image, path).at(-1) ?? 0));
    let tried = 0;
    for (const [path, bytes] of foreign) {
      const [first] = sequencesOf(foreign, path);
      if (killed.image.has(path) || first === undefined || first > lastRecord) continue;
      tried++;
      const verdict = await judgeImage(withFile(killed.image, path, bytes), killed, () => true);
      assert.equal(verdict.lost, 0);
      assert.ok(
        verdict.events.some(({ event }) => event === 'journal.foreign'),
        path,
      );
    }
    assert.ok(tried >= 3, `${tried} journals`);
  });

  it('a block with a bad checksum is a gap, and the blocks around it are read (D14, D16)', async () => {
    const path = pathsOf(stopped).open[0] as string;
    const block = lastWithPoints(stopped, path);
    const lost = await expectEvents(stopped, flipped(path, bytesOf(stopped, path), block.to - 1, 0x10), [
      'block.damaged',
    ]);
    assert.equal(lost, (block.points[0]?.to ?? 0) - (block.points[0]?.from ?? 0));
  });

  it('a block of an older time behind the last one is not read', async () => {
    const path = pathsOf(stopped).open[0] as string;
    const block = lastWithPoints(stopped, path);
    const bytes = bytesOf(stopped, path);
    const longer = new Uint8Array([...bytes, ...bytes.subarray(block.from, block.to)]);
    const verdict = await judge(stopped, { path, what: 'a stale block behind', bytes: longer });
    assert.equal(verdict.lost, 0);
  });

  it('a sealed tag file without its index gives every point', async () => {
    const path = pathsOf(stopped).sealed[0] as string;
    const bytes = bytesOf(stopped, path);
    assert.equal(
      await expectEvents(stopped, zeroed(path, bytes, bytes.length - INDEX_FOOTER.sizeBytes), ['tag-file.damaged']),
      0,
    );
  });

  it('two tag files with their names swapped give no point to the wrong tag, and all of them once they are swapped back', async () => {
    const [a, b] = [...stopped.image.keys()].filter((path) => path.endsWith('.0') && path.includes('/tags/')) as [
      string,
      string,
    ];
    const swapped = withFile(withFile(stopped.image, a, bytesOf(stopped, b)), b, bytesOf(stopped, a));
    const vfs = diskOf(swapped);
    const verdict = await judgeImage(vfs, stopped, (piece) => piece.path !== a && piece.path !== b);
    assert.ok(verdict.lost > 0);
    const opened = await openPlant(vfs);
    await opened.engine.close();
    const after = takeImage(vfs);
    const back = withFile(withFile(after, a, after.get(b)), b, after.get(a));
    assert.equal((await judgeImage(back, stopped, () => true)).lost, 0);
  });

  it('a tag file under the name of a tag that does not exist is left alone (D12)', async () => {
    const path = pathsOf(stopped).open[0] as string;
    const stray = `${FOLDER}/tags/ff/255.0`;
    const vfs = diskOf(withFile(stopped.image, stray, bytesOf(stopped, path)));
    const verdict = await judgeImage(vfs, stopped, () => true);
    assert.equal(verdict.lost, 0);
    assert.deepEqual(vfs.content(stray), bytesOf(stopped, path));
    assert.ok(verdict.events.some(({ event }) => event === 'tag-file.foreign'));
  });

  it('a missing tag file that is put back later gives its points again', async () => {
    for (const path of [...stopped.image.keys()].filter((name) => name.includes('/tags/'))) {
      const vfs = diskOf(withFile(stopped.image, path, undefined));
      const without = await judgeImage(vfs, stopped, (piece) => piece.path !== path);
      assert.ok(without.lost > 0);
      const { engine } = await openPlant(vfs);
      await engine.close();
      const back = withFile(takeImage(vfs), path, bytesOf(stopped, path));
      assert.equal((await judgeImage(back, stopped, () => true)).lost, 0, path);
    }
  });

  it('with catalog, spill and dataset.json gone at once the tag files are still read', async () => {
    let image: DiskImage = stopped.image;
    for (const path of [CATALOG, SPILL, `${FOLDER}/dataset.json`]) image = withFile(image, path, undefined);
    await judgeImage(image, stopped, (piece) => ![CATALOG, SPILL].includes(piece.path));
  });

  it('a folder without its empty folders opens, and takes requests', async () => {
    const vfs = diskOf(withFile(stopped.image, SPILL, undefined));
    const { engine } = await openPlant(vfs);
    const points: Point[] = [{ ms: 1, ticks: 0, type: 11, value: 1, quality: 192 }];
    await engine.append(DATASET, buildBatch(engine, DATASET, [{ name: 'Fresh', type: 11, points }]));
    await engine.close();
  });

  it('a folder in the place of a file stops that dataset at most (D16)', async () => {
    for (const path of [CATALOG, SPILL, `${FOLDER}/dataset.json`]) {
      const vfs = diskOf(withFile(stopped.image, path, undefined));
      vfs.makeDirectorySync(path);
      const { engine, events } = await openPlant(vfs);
      const isRefused = events.some(({ event }) => event === 'dataset.unopened');
      assert.equal(engine.hasDataset(DATASET), true, path);
      assert.equal(engine.datasets()[0]?.state, isRefused ? 'unavailable' : undefined, path);
      const points: Point[] = [{ ms: 1, ticks: 0, type: 11, value: 1, quality: 192 }];
      const append = engine.append(DATASET, buildBatch(engine, DATASET, [{ name: 'Fresh', type: 11, points }]));
      if (isRefused) await assert.rejects(append, { code: 'UNAVAILABLE' });
      else await append;
      await engine.createDataset({ name: 'other', purgeAgeDays: 0, purgeSizeGb: 0 });
      await engine.close();
    }
  });

  it('the offline check finds nothing in either state, and every one of these damages', async () => {
    for (const plant of [killed, stopped]) {
      const report = checkFolder(diskOf(plant.image), 'data');
      assert.deepEqual(report.findings, []);
      assert.equal(report.counts.points >= [...POINTS.values()].reduce((sum, points) => sum + points.length, 0), true);
      for (const [path, bytes] of plant.image) {
        for (let offset = 0; offset < bytes.length; offset += 11) {
          const damaged = withFile(plant.image, path, flipped(path, bytes, offset, 0x20).bytes);
          assert.equal(checkFolder(diskOf(damaged), 'data').clean, false, `${path} byte ${offset}`);
        }
      }
    }
  });
});

function sequencesOf(image: DiskImage, path: string): number[] {
  const [folder, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
  return readJournal(diskOf(image), folder, Number(name)).frames.map(({ sequence }) => sequence);
}

/** Journals of another dataset: other tags under the same ids, with numbers behind those of the plant. */
async function journalOfAnother(): Promise<DiskImage> {
  const vfs = new MemoryVfs();
  vfs.makeDirectorySync('data');
  const engine = await openTestEngine({
    vfs,
    clock: new ManualClock(),
    random: new SeededRandom(7),
    tunables: { ...TUNABLES, journalFileBytes: 1 },
  });
  for (let i = 0; i < 12; i++) {
    const point: Point = { ms: 1_000_000 + i, ticks: 0, type: 11, value: -i, quality: 192 };
    const runs = ['A', 'B', 'C'].map((name) => ({ name: `${name}${i}`, type: point.type, points: [point] }));
    await engine.append(DATASET, buildBatch(engine, DATASET, runs));
  }
  const [answer] = await readPoints(engine, DATASET, {
    tags: ['A0'],
    range: { kind: 'newest' },
    carryIn: false,
    skipMissing: false,
    limit: undefined,
    after: [],
  });
  assert.equal(answer?.points.length, 1);
  return new Map([...takeImage(vfs)].filter(([path]) => path.includes('/journal/')));
}
