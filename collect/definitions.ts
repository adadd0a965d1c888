// Definitions of tags on their way to the historian: one that it does not take keeps back no other.

import { RefusedError } from '../forward/errors.ts';
import type { HistorianClient, TagObject } from '../forward/historian-client.ts';

const TAGS_PER_REQUEST = 1000;
/** Refused ones that are looked for one by one. */
const MOST_SINGLED_OUT = 20;
const SHOWN = 3;
/** Whoever may not write at all is asked again, and points wait. */
const FORBIDDEN = [401, 403];

type Client = Pick<HistorianClient, 'postTags'>;

/** Rejects where the historian is away, or lets nobody write. */
export async function postDefinitions(
  client: Client,
  tags: readonly TagObject[],
  log: (line: string) => void,
): Promise<void> {
  const parts: (readonly TagObject[])[] = [];
  for (let from = 0; from < tags.length; from += TAGS_PER_REQUEST)
    parts.push(tags.slice(from, from + TAGS_PER_REQUEST));
  const refused: string[] = [];
  let refusedCount = 0;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    try {
      await client.postTags(part);
    } catch (error) {
      if (!(error instanceof RefusedError) || FORBIDDEN.includes(error.status)) throw error;
      if (part.length > 1 && refused.length < MOST_SINGLED_OUT) {
        const half = Math.ceil(part.length / 2);
        parts.unshift(part.slice(0, half), part.slice(half));
        continue;
      }
      refusedCount += part.length;
      refused.push(`${part[0]?.n}: ${error.message}`);
    }
  }
  for (const line of refused.slice(0, SHOWN)) log(line);
  if (refusedCount > 0)
    log(`${refusedCount} of ${tags.length} tags stay as they are: the historian refused their definitions`);
}
