// Where blocks are encoded: on a thread of its own where a core is left for it.

import type { Settings } from '../settings/settings.ts';
import { countCores } from './processor-cores.ts';

/** One for the main thread, one for the compiler and the collector, one for the thread pool, one for this. */
const FEWEST_CORES = 4;

export interface EncodingPlace {
  readonly hasThread: boolean;
  /** In words, with the reason. */
  readonly description: string;
}

export function encodingPlace(setting: Settings['encoding-thread'], cores = countCores()): EncodingPlace {
  const hasThread = setting === 'on' || (setting === 'auto' && cores >= FEWEST_CORES);
  const thread = hasThread ? 'on a thread of their own' : 'on the main thread';
  const reason = setting === 'auto' ? `${cores} of ${FEWEST_CORES} cores` : `--encoding-thread ${setting}`;
  return { hasThread, description: `blocks are encoded ${thread} (${reason})` };
}
