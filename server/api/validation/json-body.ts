// Reads the JSON bodies that are not points: bounded in everything, in slices, and long ones one at a time.

import type { HttpRequest } from '../../http/contract/http-server.ts';
import { ProblemError } from '../../problem.ts';
import { FairTurns } from '../../process/fair-turns.ts';
import { createPacer } from '../../process/pacer.ts';
import { LONG_METADATA_BODY_BYTES, METADATA_BODY_LIMIT_BYTES } from './body-limits.ts';
import { JsonValues, type NumberForm } from './json-values.ts';

const turns = new FairTurns(1);

/** Throws a `ProblemError`: 413 for too much of anything, 400 for what is not JSON in UTF-8 or nested too deep. */
export async function readJsonBody(request: HttpRequest, maxBodyBytes: number, numbers?: NumberForm): Promise<unknown> {
  const bytes = await request.readBody(Math.min(maxBodyBytes, METADATA_BODY_LIMIT_BYTES));
  if (bytes.length <= LONG_METADATA_BODY_BYTES) return parseJsonBody(bytes, numbers);
  const waiting = turns.take(request.holder);
  if (waiting !== undefined) await waiting;
  try {
    return await parseInSlices(bytes, numbers);
  } finally {
    turns.give();
    request.reuseBody();
  }
}

/** The value of a short body. Throws as `readJsonBody` does. */
export function parseJsonBody(bytes: Uint8Array, numbers?: NumberForm): unknown {
  try {
    const values = new JsonValues(bytes, numbers);
    while (!values.step());
    return values.value;
  } catch (error) {
    throw asBadJson(error);
  }
}

async function parseInSlices(bytes: Uint8Array, numbers: NumberForm | undefined): Promise<unknown> {
  const pacer = createPacer();
  try {
    const values = new JsonValues(bytes, numbers);
    while (!values.step()) if (pacer.isDue()) await pacer.yield();
    return values.value;
  } catch (error) {
    throw asBadJson(error);
  }
}

/** A 400 of the scanner with what clients know of these bodies. */
function asBadJson(error: unknown): unknown {
  if (!(error instanceof ProblemError) || error.status !== 400) return error;
  const { message } = error;
  return new ProblemError(400, message, { key: 'Error.BadJson', errors: [{ path: '', message }] });
}
