// A look at what a write load left: a fast server that loses something is none.

import { withConnections } from '../client/raw-connection.ts';
import { requestBytes } from '../client/request-bytes.ts';
import { DATASET, type WriteLoad } from './write-load.ts';

/** Reading more than this back would take longer than writing it. */
const MAX_POINTS = 20_000;

/** Throws unless the first and the last tag hold all their points. */
export async function checkStored(address: string, { names, shape }: WriteLoad): Promise<void> {
  if (shape.pointsATag > MAX_POINTS) return;
  await withConnections(address, 1, async ([connection]) => {
    for (const name of [names[0], names.at(-1)]) {
      const query = `tagname=${encodeURIComponent(name as string)}&start=2000-01-01T00:00:00Z&end=2100-01-01T00:00:00Z`;
      const request = requestBytes({ method: 'GET', path: `/api/datasets/${DATASET}/data?${query}` });
      const answer = await connection?.send(request, 'body');
      const points = (JSON.parse(answer?.body.toString() ?? '') as { tl: { d: unknown[] }[] }).tl[0]?.d.length;
      if (points !== shape.pointsATag) throw new Error(`got ${points} points of ${name}; want ${shape.pointsATag}`);
    }
  });
}
