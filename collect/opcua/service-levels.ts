// Whether another server is to be taken: the one in use serves worse than it did, or badly while another serves well.

import { HEALTHY_LEVEL } from './choose-server.ts';

const LOOK_MS = 2000;
const LOOK_AT_OTHERS_MS = 10_000;

export interface LevelWatch {
  /** The level when the server was chosen. */
  readonly level: number;
  readonly readLevel: () => Promise<number>;
  /** The best level among the other servers, and whose it is; undefined where none can be reached. */
  readonly readOthers: () => Promise<{ readonly level: number; readonly endpoint: string } | undefined>;
  readonly now: () => number;
}

/** Gives a look, which is called often and gives a reason to leave the server. */
export function watchLevels({ level, readLevel, readOthers, now }: LevelWatch): () => Promise<string | undefined> {
  let lookedMs = now();
  let othersMs = now();
  return async () => {
    if (now() - lookedMs < LOOK_MS) return undefined;
    lookedMs = now();
    const current = await readLevel().catch(() => 0);
    if (current < Math.min(level, HEALTHY_LEVEL)) return `its service level has fallen to ${current}`;
    if (current >= HEALTHY_LEVEL || now() - othersMs < LOOK_AT_OTHERS_MS) return undefined;
    const other = await readOthers();
    othersMs = now();
    if (other === undefined || other.level < HEALTHY_LEVEL) return undefined;
    return `its service level is ${current}, and that of ${other.endpoint} ${other.level}`;
  };
}
