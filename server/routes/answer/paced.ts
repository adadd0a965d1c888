// When an answer that is written item by item lets others have their turn.

import type { Pacer } from '../../process/pacer.ts';
import type { AnswerSink } from './answer-sink.ts';

/**
 * Sends what is there when it has become much; a promise when others are to have their turn first. Much may be one long item.
 * When many clients have taken something in one turn, not all of them may go on in it.
 */
export function paced(sink: AnswerSink, pacer: Pacer): Promise<void> | undefined {
  const isMuch = sink.isMuch;
  const draining = sink.drain();
  if (draining !== undefined) return draining.then(() => (pacer.isDueNow() ? pacer.yield() : undefined));
  const isDue = isMuch ? pacer.isDueNow() : pacer.isDue();
  return isDue ? pacer.yield() : undefined;
}
