// Notes in the audit log that a write has made the dataset that it is for: once, also when several writes at a time find
// it missing, and also when the write itself is refused afterwards.

import type { Engine, LateRule } from '../../../engine/index.ts';
import type { Caller } from '../../auth/rules/caller.ts';
import type { Service } from '../service/service.ts';

/** A dataset that was missing, and the writes to it that are under way since. */
interface MissingDataset {
  writes: number;
  isNoted: boolean;
}

const missingOf = new WeakMap<Engine, Map<string, MissingDataset>>();

/** The dataset that a call writes to. */
export interface WriteTarget {
  readonly dataset: string;
  /** Rule for late points of the dataset, if the write makes it. */
  readonly late?: LateRule | undefined;
  readonly caller: Pick<Caller, 'audit'>;
}

/** The result of `write`, which creates the dataset when it is missing. */
export function auditingCreation<T>(
  { engine }: Service,
  target: WriteTarget,
  write: () => Promise<T> | T,
): Promise<T> | T {
  return engine.hasDataset(target.dataset) ? write() : noting(engine, target, write);
}

async function noting<T>(engine: Engine, { dataset, caller }: WriteTarget, write: () => Promise<T> | T): Promise<T> {
  const missing = begin(engine, dataset);
  try {
    return await write();
  } finally {
    if (!missing.isNoted && engine.hasDataset(dataset)) {
      missing.isNoted = true;
      caller.audit('dataset.create', { dataset });
    }
    if (--missing.writes === 0) missingOf.get(engine)?.delete(dataset);
  }
}

function begin(engine: Engine, dataset: string): MissingDataset {
  const all = missingOf.get(engine) ?? new Map<string, MissingDataset>();
  const missing = all.get(dataset) ?? { writes: 0, isNoted: false };
  missing.writes++;
  missingOf.set(engine, all);
  all.set(dataset, missing);
  return missing;
}
