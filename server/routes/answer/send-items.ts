// An array as a whole answer, item by item: very many long names are not rendered in one go.

import type { HttpResponse } from '../../http/contract/http-server.ts';
import { createPacer } from '../../process/pacer.ts';
import { AnswerSink } from './answer-sink.ts';
import { JSON_HEADER } from './answers.ts';
import { paced } from './paced.ts';

/** Each item as what `toItem` makes of it. */
export async function sendItems<T>(
  response: HttpResponse,
  items: Iterable<T>,
  toItem: (item: T) => unknown,
): Promise<void> {
  const sink = new AnswerSink(response, [JSON_HEADER]);
  const pacer = createPacer();
  try {
    let separator = '[';
    for (const item of items) {
      sink.out.utf8(separator + JSON.stringify(toItem(item)));
      separator = ',';
      const waiting = paced(sink, pacer);
      if (waiting !== undefined) await waiting;
    }
    sink.out.ascii(separator === '[' ? '[]' : ']');
    await sink.end();
  } catch (error) {
    sink.abandon();
    throw error;
  }
}
