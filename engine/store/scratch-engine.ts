// An engine in memory, for work that is thrown away: so that the compiler knows the write path before a client waits for it.

import type { Engine } from '../engine.ts';
import { createScratchVfs } from '../io/scratch-vfs.ts';
import { openEngine } from './open-engine.ts';

/** Short blocks, so that few points make many of them. */
const BLOCK_POINTS = 256;

/** Opens an empty engine that touches no file and keeps nothing once it is closed. */
export function openScratchEngine(): Promise<Engine> {
  const tunables = { blockPoints: BLOCK_POINTS, systemTagIntervalMs: 0 };
  return openEngine({ folder: 'scratch', vfs: createScratchVfs(), tunables });
}
