// Tag files and their folders with bytes that are not synced yet: a catalog may not vouch for them.

import { TAGS_FOLDER, tagFolder } from '../filenames.ts';
import type { TagFile } from '../files/tag-file.ts';

export interface UnsyncedBatch {
  readonly files: readonly TagFile[];
  /** Inside the dataset's folder. */
  readonly folders: readonly string[];
}

export class UnsyncedFiles {
  readonly #files = new Set<TagFile>();
  readonly #folders = new Set<string>();

  get fileCount(): number {
    return this.#files.size;
  }

  addFile(file: TagFile): void {
    this.#files.add(file);
  }

  /** The file is gone, or belongs to nobody. */
  dropFile(file: TagFile): void {
    this.#files.delete(file);
  }

  /** A folder has a new entry, or is one itself. */
  addTagFolder(tagId: number): void {
    this.#folders.add(tagFolderPath(tagId));
    this.#folders.add(TAGS_FOLDER);
  }

  hasTagFolder(tagId: number): boolean {
    return this.#folders.has(tagFolderPath(tagId));
  }

  /** All that is to be synced now; what comes from here on is for the next time. */
  take(): UnsyncedBatch {
    const batch = { files: [...this.#files], folders: [...this.#folders] };
    this.#files.clear();
    this.#folders.clear();
    return batch;
  }

  /** It could not be synced. */
  putBack({ files, folders }: UnsyncedBatch): void {
    for (const file of files) this.#files.add(file);
    for (const folder of folders) this.#folders.add(folder);
  }
}

/** The subfolder of a tag's files, inside the dataset's folder. */
export function tagFolderPath(tagId: number): string {
  return `${TAGS_FOLDER}/${tagFolder(tagId)}`;
}
