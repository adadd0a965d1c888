// The offline check: nothing to say of a sound folder, and the right thing where every checksum holds and the content is wrong.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { CatalogWriter, readCatalog } from '../../../engine/files/catalog-file.ts';
import {
  BLOCK_HEADER_LAYOUT,
  BLOCK_HEADER_MIN_BYTES,
  decodeBlockHeader,
} from '../../../engine/format/block/block-header.ts';
import { BLOCK_STATISTICS_LAYOUT } from '../../../engine/format/block/block-statistics.ts';
import { crc32 } from '../../../engine/format/bytes/crc.ts';
import { FORMAT_VERSION } from '../../../engine/format/bytes/file-headers.ts';
import type { CatalogTag } from '../../../engine/format/record/catalog-record.ts';
import { type CheckReport, checkFolder, checkUnusedFolder, openEngine } from '../../../engine/index.ts';
import { type DiskImage, diskOf, takeImage, withFile } from '../../corruption/disk-image.ts';
import { FOLDER } from '../../corruption/plant.ts';
import { makeScenarios, pathsOf } from '../../corruption/scenarios.ts';
import type { SoundPlant } from '../../corruption/verdict.ts';
import { goldenFolder, readFiles } from '../../golden/golden-folders.ts';
import { writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { openTestEngine } from '../../support/test-engine.ts';
import { correct } from '../corrections/corrected-tag.ts';

function expectError(report: CheckReport, text: RegExp): void {
  const errors = report.findings
    .filter(({ level }) => level === 'error')
    .map(({ path, message }) => `${path}: ${message}`);
  assert.ok(
    errors.some((error) => text.test(error)),
    `no ${text} among ${JSON.stringify(errors)}`,
  );
  assert.equal(report.clean, false);
}

/** The image with a catalog in which `change` has altered the tags, and that knows of deleted ones; its checksums hold. */
async function withCatalog(
  image: DiskImage,
  change: (tag: CatalogTag) => CatalogTag,
  deleted: readonly number[] = [],
): Promise<DiskImage> {
  const vfs = diskOf(image);
  const catalog = readCatalog(vfs, FOLDER);
  assert.ok(catalog?.meta);
  const writer = new CatalogWriter(vfs, FOLDER, 1);
  for (const tag of catalog.tags) writer.add(change(tag));
  const tombstones = [...catalog.meta.tombstones, ...deleted];
  await writer.finish({ ...catalog.meta, tombstones }, catalog.sequence);
  return takeImage(vfs);
}

describe('the offline check', () => {
  let killed: SoundPlant;
  let stopped: SoundPlant;
  before(async () => {
    ({ killed, stopped } = await makeScenarios());
  });

  it('counts what it has looked at, each point once', () => {
    const { counts, clean } = checkFolder(diskOf(stopped.image), 'data');
    assert.equal(clean, true);
    assert.equal(counts.datasets, 1);
    assert.equal(counts.files, stopped.image.size);
    const bytes = [...stopped.image.values()].reduce((sum, file) => sum + file.length, 0);
    assert.equal(counts.bytes, bytes);
    const blocks = stopped.pieces.flatMap(({ path, points }) => (path.includes('/journal/') ? [] : points));
    assert.equal(counts.blocks, blocks.length);
    const points = blocks.reduce((sum, { from, to }) => sum + to - from, 0);
    assert.equal(counts.points, points);
  });

  it('takes the folder of one dataset, too', () => {
    const report = checkFolder(diskOf(killed.image), FOLDER);
    assert.deepEqual(report.findings, []);
    assert.equal(report.counts.files, killed.image.size);
  });

  it('writes nothing', () => {
    for (const { image } of [killed, stopped]) {
      const vfs = diskOf(image);
      const kinds = new Set<string>();
      vfs.watch(({ kind }) => kinds.add(kind));
      checkFolder(vfs, 'data');
      assert.deepEqual([...kinds].sort(), ['list', 'open', 'read', 'stat']);
      assert.deepEqual(vfs.openPaths(), []);
    }
  });

  it('finds points that no file holds', () => {
    const [first] = pathsOf(killed).journals;
    expectError(
      checkFolder(diskOf(withFile(killed.image, first as string, undefined)), 'data'),
      /points \d+ to \d+ of tag .* are in no file/,
    );
  });

  it('finds a newest point in the catalog that no file has', async () => {
    const image = await withCatalog(stopped.image, (tag) => {
      const [newest] = tag.newest;
      if (tag.definition.name !== 'Level' || !newest) return tag;
      return { ...tag, newest: [{ ...newest, value: 99 }] };
    });
    expectError(checkFolder(diskOf(image), 'data'), /the newest point of tag .*'Level' is in no file/);
  });

  it('finds a catalog that knows more of a tag file than there is', async () => {
    const image = await withCatalog(stopped.image, (tag) => {
      const files = tag.files.map((file) => ({
        ...file,
        blockCount: file.blockCount + 1,
        sizeBytes: file.sizeBytes + 1,
      }));
      return { ...tag, files };
    });
    const report = checkFolder(diskOf(image), 'data');
    expectError(report, /the catalog knows \d+/);
    expectError(report, /the catalog says \d+ blocks/);
  });

  it('finds a time of the first point that a lifted rule has left which is not that of the point', async () => {
    const data = `${goldenFolder(FORMAT_VERSION, 'purge-lifted').data}/d`;
    const image = new Map([...readFiles(data)].map(([path, bytes]) => [`${FOLDER}/${path}`, bytes]));
    assert.equal(checkFolder(diskOf(image), 'data').clean, true);
    const altered = await withCatalog(image, (tag) => {
      const { purgedTime } = tag;
      return purgedTime ? { ...tag, purgedTime: { ...purgedTime, ticks: purgedTime.ticks + 1 } } : tag;
    });
    expectError(
      checkFolder(diskOf(altered), 'data'),
      /the first point .* of tag .*'Days' is of \S+Z; the catalog says \S+Z/,
    );
  });

  it('says where an earlier version has not kept the time of such a point, and the point is gone', () => {
    const files = readFiles(`${goldenFolder(5, 'purge-widened').data}/d`);
    const image = new Map([...files].map(([path, bytes]) => [`${FOLDER}/${path}`, bytes]));
    const { findings, clean } = checkFolder(diskOf(image), 'data');
    assert.equal(clean, true);
    assert.match(
      findings.map(({ message }) => message).join(),
      /tag .*'T' is gone, and its time is not in the catalog/,
    );
  });

  it('knows the system tags that neither catalog nor journals define yet', async () => {
    const vfs = new MemoryVfs();
    vfs.makeDirectorySync('data');
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    const engine = await openTestEngine({ vfs, clock, random: new SeededRandom(1) });
    await writeNumbers(engine, 'd', { T: [{ ms: 0, value: 1 }] });
    await correct(engine, 'd', { tag: 'T', kind: 'delete', startMs: 0, endMs: 0 });
    assert.deepEqual(checkFolder(vfs, 'data').findings, []);
    await engine.close();
  });

  it('passes over a list of deletions that was being written and the empty file of a write that failed', () => {
    const empty = `${FOLDER}/tags/40/64.77`;
    const image = new Map([
      ...stopped.image,
      ['data/.deletions.json.new', new Uint8Array()],
      [empty, new Uint8Array()],
    ]);
    const { findings, clean } = checkFolder(diskOf(image), 'data');
    assert.equal(clean, true);
    assert.equal(findings.length, 2);
  });

  it('passes over a tag that was deleted while the catalog was written, and whose name has gone to another', async () => {
    const level = readCatalog(diskOf(stopped.image), FOLDER)?.tags.find(
      ({ definition }) => definition.name === 'Level',
    );
    assert.ok(level);
    const renamed = (tag: CatalogTag): CatalogTag =>
      tag.id === level.id ? { ...tag, definition: { ...tag.definition, name: 'Note' } } : tag;
    const image = await withCatalog(stopped.image, renamed, [level.id]);
    assert.deepEqual(checkFolder(diskOf(image), 'data').findings, []);
  });

  it('finds two tags of one name', async () => {
    const image = await withCatalog(stopped.image, (tag) => {
      return tag.definition.name === 'Level' ? { ...tag, definition: { ...tag.definition, name: 'Note' } } : tag;
    });
    expectError(checkFolder(diskOf(image), 'data'), /'Note' has the name of another tag/);
  });

  it('finds a header whose statistics are not those of its points', async () => {
    const vfs = new MemoryVfs();
    vfs.makeDirectorySync('data');
    const engine = await openTestEngine({
      vfs,
      clock: new ManualClock(),
      random: new SeededRandom(1),
      tunables: { blockPoints: 64 },
    });
    await writeNumbers(engine, 'd', { T: Array.from({ length: 200 }, (_, i) => ({ ms: i * 1000, value: i / 10 })) });
    await engine.close();
    const image = takeImage(vfs);
    assert.equal(checkFolder(diskOf(image), 'data').clean, true);
    const [path] = [...image.keys()].filter((name) => name.includes('/tags/'));
    const bytes = (image.get(path as string) as Uint8Array).slice();
    const offset = Buffer.from(bytes).indexOf('VBLK');
    assert.ok(decodeBlockHeader(bytes, offset).statistics);
    alterSum(bytes, offset);
    expectError(checkFolder(diskOf(withFile(image, path as string, bytes)), 'data'), /the header says sum 12345/);
  });

  it('names strangers and leftovers, and passes over what is only worth knowing', () => {
    const stranger = withFile(stopped.image, `${FOLDER}/notes.txt`, new Uint8Array([1]));
    assert.deepEqual(
      checkFolder(diskOf(stranger), 'data').findings.map(({ level, path }) => [level, path]),
      [['warn', 'plant/notes.txt']],
    );
    const leftover = checkFolder(diskOf(withFile(stopped.image, `${FOLDER}/catalog.new`, new Uint8Array(9))), 'data');
    assert.deepEqual([leftover.findings[0]?.level, leftover.clean], ['info', true]);
    assert.equal(checkFolder(diskOf(stopped.image), 'nowhere').clean, false);
  });

  it('refuses a folder that an engine has open, and the datasets in it, and leaves no file behind', async (context) => {
    const folder = makeTempFolder(context);
    const engine = await openEngine({ folder });
    await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
    await assert.rejects(checkUnusedFolder(folder), { code: 'LOCKED' });
    await assert.rejects(checkUnusedFolder(join(folder, 'd')), { code: 'LOCKED' });
    await engine.close();
    const list = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    const contents = list().map((name) =>
      statSync(join(folder, name)).isFile() ? readFileSync(join(folder, name)) : name,
    );
    assert.equal((await checkUnusedFolder(folder)).clean, true);
    assert.equal((await checkUnusedFolder(join(folder, 'd'))).clean, true);
    assert.deepEqual(
      list().map((name) => (statSync(join(folder, name)).isFile() ? readFileSync(join(folder, name)) : name)),
      contents,
    );
  });
});

/** Puts another sum into the statistics of a block, and makes the header's checksum right again. */
function alterSum(bytes: Uint8Array, offset: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sum = BLOCK_STATISTICS_LAYOUT.fields.find(({ name }) => name === 'sum');
  view.setFloat64(offset + BLOCK_HEADER_MIN_BYTES + (sum?.offset ?? 0), 12345, true);
  const base = crc32(bytes.subarray(offset, offset + BLOCK_HEADER_LAYOUT.sizeBytes - 4));
  const end = offset + BLOCK_HEADER_MIN_BYTES + BLOCK_STATISTICS_LAYOUT.sizeBytes;
  view.setUint32(
    offset + BLOCK_HEADER_MIN_BYTES - 4,
    crc32(bytes.subarray(offset + BLOCK_HEADER_MIN_BYTES, end), base),
    true,
  );
}
