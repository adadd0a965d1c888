// A real file system in an image file, mounted over a loop device, whose power can be cut. Needs root.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const FILE_SYSTEMS = ['ext4', 'xfs'] as const;
export type FileSystem = (typeof FILE_SYSTEMS)[number];

export interface LoopDiskOptions {
  /** Words for mkfs besides. */
  readonly mkfs?: readonly string[];
}

/** The least that mkfs.xfs takes is 300 MB. */
const IMAGE_BYTES = 320 * 2 ** 20;
/** FS_IOC_SHUTDOWN with "do not flush the journal": what is not on disk yet never comes there. */
const CUT_POWER =
  'use Fcntl; sysopen(D, $ARGV[0], O_RDONLY) or die $!; my $how = pack("I", 2); ioctl(D, 0x8004587d, $how) or die $!;';

/** The reason why this cannot work here, or false. */
export function whyNoLoopDisk(kind: FileSystem, folder: string): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount';
  if (spawnSync(`mkfs.${kind}`, ['-V']).error) return `mkfs.${kind} is not installed`;
  if (spawnSync('perl', ['-e', '1']).status !== 0) return 'perl is not installed';
  try {
    const disk = LoopDisk.create(kind, folder);
    try {
      disk.mount();
      disk.cutPower();
    } finally {
      disk.destroy();
    }
    return false;
  } catch (error) {
    return `no loop devices here: ${(error as Error).message}`;
  }
}

export class LoopDisk {
  readonly mountPoint: string;
  readonly #image: string;
  #isMounted = false;

  private constructor(folder: string, kind: FileSystem) {
    this.#image = join(folder, `${kind}.img`);
    this.mountPoint = join(folder, `${kind}.mount`);
  }

  /** A new, empty file system; not mounted yet. */
  static create(kind: FileSystem, folder: string, { mkfs = [] }: LoopDiskOptions = {}): LoopDisk {
    const disk = new LoopDisk(folder, kind);
    writeFileSync(disk.#image, '');
    truncateSync(disk.#image, IMAGE_BYTES);
    mkdirSync(disk.mountPoint, { recursive: true });
    run(`mkfs.${kind}`, ['-q', ...mkfs, disk.#image]);
    return disk;
  }

  mount(): void {
    run('mount', ['-o', 'loop', this.#image, this.mountPoint]);
    this.#isMounted = true;
  }

  /** From now on everything fails with EIO, and what was not synced is gone. */
  cutPower(): void {
    run('perl', ['-e', CUT_POWER, this.mountPoint]);
  }

  /** Nobody may have a file open. */
  unmount(): void {
    run('umount', [this.mountPoint]);
    this.#isMounted = false;
  }

  destroy(): void {
    if (this.#isMounted) this.unmount();
    rmSync(this.#image, { force: true });
    rmSync(this.mountPoint, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr.trim()}`);
}
