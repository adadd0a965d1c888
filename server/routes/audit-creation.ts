// Notes in the audit log that a write has made the dataset that it is for.

import type { RouteContext } from '../http/router.ts';
import { datasetOf } from './path-names.ts';
import type { Service } from './service.ts';

/** The result of `write`, which creates the call's dataset when it is missing. */
export async function auditingCreation<T>(
  { engine }: Service,
  call: RouteContext,
  write: () => Promise<T> | T,
): Promise<T> {
  const dataset = datasetOf(call);
  const wasThere = engine.hasDataset(dataset);
  const result = await write();
  if (!wasThere && engine.hasDataset(dataset)) call.caller.audit('dataset.create', { dataset });
  return result;
}
