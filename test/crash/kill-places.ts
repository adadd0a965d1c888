// Places of a server's data while it is killed: a folder, a disk that is full or nearly so from time to time, or one whose
// power goes.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DiskBallast } from '../support/disk-ballast.ts';
import { LoopDisk, whyNoLoopDisk } from '../support/loop-disk.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { SmallDisk, whyNoSmallDisk } from '../support/small-disk.ts';
import { type KillPlace, plainPlace } from './kill-rounds.ts';

/** `folder`: kill -9 and nothing else. */
export const PLACES = ['folder', 'full-ext4', 'full-ext4-1k', 'full-xfs', 'full-tmpfs', 'cut-ext4', 'cut-xfs'] as const;
export type PlaceName = (typeof PLACES)[number];

export interface OpenPlace {
  readonly place: KillPlace;
  readonly remove: () => void;
}

/** Some of this room is left on a full disk: none, less than a journal takes, or enough for a while. */
const LEFT_BYTES = [0, 0, 20_000, 100_000, 400_000];
const TMPFS_SIZE = '24m';

/** Why there is no such place here; false when there is. */
export function whyNoPlace(name: PlaceName, folder: string): string | false {
  if (name === 'folder') return false;
  return name === 'full-tmpfs' ? whyNoSmallDisk() : whyNoLoopDisk(name.includes('xfs') ? 'xfs' : 'ext4', folder);
}

/** @param folder for what the place is made of */
export function openPlace(name: PlaceName, folder: string, random: SeededRandom): OpenPlace {
  switch (name) {
    case 'folder': {
      const dataFolder = join(folder, 'data');
      return { place: plainPlace(dataFolder), remove: () => rmSync(dataFolder, { recursive: true, force: true }) };
    }
    case 'full-tmpfs': {
      const disk = new SmallDisk(TMPFS_SIZE);
      return { place: fullPlace(disk.path, random), remove: () => disk.remove() };
    }
    case 'cut-ext4':
    case 'cut-xfs': {
      const disk = mountNew(name, folder);
      return { place: cutPlace(disk), remove: () => disk.destroy() };
    }
    default: {
      const disk = mountNew(name, folder);
      return { place: fullPlace(disk.mountPoint, random), remove: () => disk.destroy() };
    }
  }
}

function mountNew(name: PlaceName, folder: string): LoopDisk {
  const mkfs = name.endsWith('-1k') ? ['-b', '1024'] : [];
  const disk = LoopDisk.create(name.includes('xfs') ? 'xfs' : 'ext4', folder, { mkfs });
  disk.mount();
  return disk;
}

function fullPlace(folder: string, random: SeededRandom): KillPlace {
  const ballast = new DiskBallast(folder);
  const dataFolder = join(folder, 'data');
  return {
    ...plainPlace(dataFolder),
    disturb() {
      // A server that never started has nothing to serve on a full disk.
      if (!existsSync(dataFolder)) return;
      const what = random.pick(['fill', 'fill', 'make room', 'nothing'] as const);
      if (what === 'fill') ballast.fill(random.pick(LEFT_BYTES));
      else if (what === 'make room') ballast.makeRoom();
    },
  };
}

function cutPlace(disk: LoopDisk): KillPlace {
  return {
    dataFolder: join(disk.mountPoint, 'data'),
    async end(server, power) {
      power.isOff = true;
      disk.cutPower();
      await server.kill();
      disk.unmount();
      disk.mount();
    },
  };
}
