// Requests of read loads.

import { requestBytes } from '../client/request-bytes.ts';
import { DATASET } from './write-load.ts';

export interface ReadAnswerForm {
  /** Media type of the answer; the server's own choice when absent. */
  readonly accept?: string;
  /** Form of the points; objects when absent. */
  readonly format?: string | undefined;
}

/** A read of the benchmark's dataset, by the members that `POST …/read` takes. */
export function readRequest(parameters: Record<string, unknown>, { accept, format }: ReadAnswerForm = {}): Buffer {
  const query = format === undefined ? '' : `?format=${format}`;
  const body = format === undefined ? parameters : { ...parameters, format };
  return requestBytes({
    method: 'POST',
    path: `/api/datasets/${DATASET}/read${query}`,
    contentType: 'application/json',
    ...(accept === undefined ? {} : { accept }),
    body: Buffer.from(JSON.stringify(body)),
  });
}
