// A disk in memory that does not tell capitals from small letters in names, and keeps them as they were given, as
// the usual disks of Windows and macOS do.

import type { FileStat, OpenMode, VfsFile } from '../../engine/io/vfs.ts';
import { MemoryVfs } from './memory-vfs.ts';

export class CaseFoldingVfs extends MemoryVfs {
  override openSync(path: string, mode: OpenMode): VfsFile {
    return super.openSync(this.#asStored(path), mode);
  }

  override statSync(path: string): FileStat | undefined {
    return super.statSync(this.#asStored(path));
  }

  override listSync(path: string): string[] {
    return super.listSync(this.#asStored(path));
  }

  override makeDirectorySync(path: string): void {
    super.makeDirectorySync(this.#asStored(path));
  }

  override renameSync(from: string, to: string): void {
    super.renameSync(this.#asStored(from), this.#asStored(to));
  }

  override removeSync(path: string): void {
    super.removeSync(this.#asStored(path));
  }

  override removeDirectorySync(path: string): void {
    super.removeDirectorySync(this.#asStored(path));
  }

  override syncDirectory(path: string): Promise<void> {
    return super.syncDirectory(this.#asStored(path));
  }

  /** The path with each part as it is written on the disk, as far as there is one. */
  #asStored(path: string): string {
    let stored = '';
    for (const part of path.split('/')) {
      const names = stored === '' ? [] : super.listSync(stored);
      const same = names.find((name) => name.toLowerCase() === part.toLowerCase());
      stored = stored === '' ? part : `${stored}/${same ?? part}`;
    }
    return stored;
  }
}
