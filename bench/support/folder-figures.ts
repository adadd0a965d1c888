// What a folder takes on disk, by kind of file.

import { readdirSync, statSync } from 'node:fs';

export interface FolderFigures {
  readonly files: number;
  /** Sum of file sizes, and of allocated blocks. */
  readonly bytes: number;
  readonly allocatedBytes: number;
  /** Sum of the length of each file, or of its blocks where they are fewer: without what is only set aside. */
  readonly usedBytes: number;
}

/** Figures of all files whose path inside the folder the filter takes. */
export function measureFolder(folder: string, wanted: (path: string) => boolean = () => true): FolderFigures {
  let files = 0;
  let bytes = 0;
  let allocatedBytes = 0;
  let usedBytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = `${entry.parentPath}/${entry.name}`;
    if (!entry.isFile() || !wanted(path.slice(folder.length + 1))) continue;
    const stat = statSync(path);
    files++;
    bytes += stat.size;
    allocatedBytes += stat.blocks * 512;
    usedBytes += Math.min(stat.size, stat.blocks * 512);
  }
  return { files, bytes, allocatedBytes, usedBytes };
}
