// The system may report to only one of two concurrent syncs of a file, or writes that end with one, that its pages could not
// be written: the journal never has two.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Durability } from '../../../engine/index.ts';
import type { VfsFile } from '../../../engine/io/vfs.ts';
import { writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);

interface SyncCount {
  running: number;
  most: number;
  total: number;
}

/** The methods of `target`, but for those given. */
function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get: (_, name) => {
      const method = methods[name as keyof T] ?? target[name as keyof T];
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

function countJournalSyncs(vfs: MemoryVfs, count: SyncCount): MemoryVfs {
  const counted = (file: VfsFile): VfsFile =>
    withMethods(file, {
      sync: () => counting(() => file.sync()),
      write: (bytes, position) => counting(() => file.write(bytes, position)),
    });
  const counting = async (work: () => Promise<void>): Promise<void> => {
    count.most = Math.max(count.most, ++count.running);
    count.total++;
    await work();
    count.running--;
  };
  return withMethods(vfs, {
    openSync: (path, mode) => {
      const file = vfs.openSync(path, mode);
      return path.includes('/journal/') ? counted(file) : file;
    },
  });
}

for (const durability of ['group', 'interval', 'os'] as const satisfies readonly Durability[]) {
  it(`the journal syncs once at a time, at ${durability} (D11)`, async () => {
    const count: SyncCount = { running: 0, most: 0, total: 0 };
    const clock = new ManualClock(START_MS);
    const engine = await openTestEngine({
      vfs: countJournalSyncs(makeDisk({}), count),
      durability,
      clock,
      random: new SeededRandom(1),
      tunables: { blockPoints: 16, headLimitBytes: 2000, sliceMs: 0, systemTagIntervalMs: 0, diskReserveBytes: 0 },
    });
    for (let round = 0; round < 50; round++) {
      const points = Array.from({ length: 20 }, (_, i) => ({ ms: START_MS + round * 1000 + i, value: i }));
      const writes = ['A', 'B', 'C'].map((tag) => writeNumbers(engine, 'd', { [tag]: points }));
      clock.advance(1000);
      await Promise.all(writes);
    }
    assert.ok(count.total > 20, `${count.total} syncs`);
    assert.equal(count.most, 1);
    await engine.close();
  });
}
