// A request to a server that may be away for a while.

import { setTimeout as delay } from 'node:timers/promises';
import { isPassing } from '../../../client/answers.ts';
import type { HttpAnswer, HttpAsked, HttpLink } from '../../../client/http-link.ts';
import { noAnswerText } from './no-answer.ts';

/** How long a server that fails is asked again, ms. */
export const TRY_LIMIT_MS = 60_000;
const PAUSE_MS = 1000;

/**
 * Asks again while what comes may pass by itself. Gives the last answer, or in words why there is none; rejects once
 * `signal` is aborted.
 * @param onWaiting called once, when it begins to wait
 */
export async function sendPatiently(
  link: HttpLink,
  asked: HttpAsked & { readonly signal: AbortSignal },
  onWaiting?: (answer: HttpAnswer | string) => void,
): Promise<HttpAnswer | string> {
  for (let failedMs: number | undefined; ; await delay(PAUSE_MS, undefined, { signal: asked.signal })) {
    const answer = await link.send(asked).catch((error: unknown) => {
      if (asked.signal.aborted) throw error;
      return noAnswerText(error);
    });
    if (typeof answer !== 'string' && !isPassing(answer.status)) return answer;
    if (failedMs === undefined) onWaiting?.(answer);
    failedMs ??= performance.now();
    if (performance.now() - failedMs > TRY_LIMIT_MS) return answer;
  }
}
