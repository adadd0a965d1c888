// The two states that the plant is damaged in: killed while everything is still in the journals, and stopped cleanly with
// the retired journals long gone.

import { readCatalog } from '../../engine/files/catalog-file.ts';
import { MemoryVfs } from '../support/memory-vfs.ts';
import { diskOf, keepFiles, takeImage } from './disk-image.ts';
import { FOLDER, openPlant, writeShare } from './plant.ts';
import { SoundPlant } from './verdict.ts';

export interface Scenarios {
  readonly killed: SoundPlant;
  readonly stopped: SoundPlant;
}

export async function makeScenarios(): Promise<Scenarios> {
  const vfs = new MemoryVfs();
  vfs.makeDirectorySync('data');
  const { engine } = await openPlant(vfs);
  await writeShare(engine, 0, 0.5);
  await writeShare(engine, 0.5, 1);
  await engine.purge(); // purges nothing; blocks under way are written by then
  const killed = takeImage(vfs);
  await engine.close();
  const stopped = keepFiles(takeImage(vfs), (path) => !path.includes('/journal/'));
  const tags = readCatalog(diskOf(stopped), FOLDER)?.tags ?? [];
  const ids = new Map(tags.map((tag) => [tag.definition.name, tag.id]));
  return { killed: new SoundPlant(killed, ids), stopped: new SoundPlant(stopped, ids) };
}

/** The paths of the plant's files by kind; every kind of file occurs. */
export function pathsOf({ image, pieces }: SoundPlant): { sealed: string[]; open: string[]; journals: string[] } {
  const tagFiles = [...image.keys()].filter((path) => path.includes('/tags/'));
  const isSealed = (path: string): boolean => pieces.filter((piece) => piece.path === path).at(-1)?.points.length === 0;
  return {
    sealed: tagFiles.filter(isSealed),
    open: tagFiles.filter((path) => !isSealed(path)),
    journals: [...image.keys()].filter((path) => path.includes('/journal/')),
  };
}
