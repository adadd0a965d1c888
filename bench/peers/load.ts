// The requests of W1 in a peer's form: some seconds of tags in each, two connections, all made before anything is timed.

import { requestBytes } from '../client/request-bytes.ts';
import type { Sendable } from '../client/write-driver.ts';
import { type LoadPart, type LoadRequest, W1 } from '../workloads/write-load.ts';
import { requestPoints, type W1Points } from './bodies/w1-points.ts';
import type { WriteForm } from './peer.ts';

export interface PeerLoad extends Sendable {
  readonly bodyBytes: number;
}

/** @param pointsARequest of each tag */
export function buildPeerLoad(points: W1Points, form: WriteForm, pointsARequest: number = W1.pointsARequest): PeerLoad {
  const requests: LoadRequest[][] = Array.from({ length: W1.connections }, () => []);
  const tagCount = points.names.length;
  const { pointsATag } = points;
  for (let n = 0, turn = 0; n < pointsATag; n += pointsARequest, turn++) {
    const count = Math.min(pointsARequest, pointsATag - n);
    if (form.sharing === 'in turn') {
      requests[turn % W1.connections]?.push(buildRequest(points, form, { fromTag: 0, toTag: tagCount, n, count }));
      continue;
    }
    for (const [i, own] of requests.entries()) {
      const [from, to] = [i, i + 1].map((end) => Math.round((end * tagCount) / W1.connections)) as [number, number];
      if (from < to) own.push(buildRequest(points, form, { fromTag: from, toTag: to, n, count }));
    }
  }
  const bodyBytes = requests.flat().reduce((sum, { body }) => sum + body.length, 0);
  return { requests, points: tagCount * pointsATag, bodyBytes };
}

function buildRequest(points: W1Points, { encode, post }: WriteForm, part: LoadPart): LoadRequest {
  const { fromTag, toTag, n, count } = part;
  const body = encode(requestPoints(points, fromTag, toTag, n, count));
  const bytes = post === undefined ? body : requestBytes({ method: 'POST', ...post, body });
  return { bytes, body: bytes.subarray(bytes.length - body.length), points: (toTag - fromTag) * count };
}
