// What a message of a source comes to: the first of its topics that the message is of says how.

import type { IncomingMessage } from './broker-link.ts';
import type { SourceConfig } from './config/mqtt-config.ts';
import { PayloadFault } from './mapping/faults.ts';
import type { Steps } from './mapping/steps.ts';
import { mapMessage } from './mapping/topic-mapping.ts';
import { SparkplugHost, type SparkplugOutcome } from './sparkplug/sparkplug-host.ts';

export class MessageMapper {
  readonly #config: SourceConfig;
  readonly #host = new SparkplugHost();

  constructor(config: SourceConfig) {
    this.#config = config;
  }

  get sparkplug(): SparkplugHost['figures'] {
    return this.#host.figures;
  }

  /** Adds what a message comes to, in steps; false when nothing is to be made of it. Throws a `PayloadFault`. */
  *map(message: IncomingMessage, outcome: SparkplugOutcome): Steps<boolean> {
    const levels = message.topic.split('/');
    const mapping = this.#config.topics.find(({ pattern }) => pattern.matches(levels));
    if (mapping === undefined || (message.isRetained && !mapping.takesRetained)) return false;
    const { maxMessageBytes } = this.#config;
    if (message.payload.length > maxMessageBytes)
      throw new PayloadFault(`got ${message.payload.length} bytes; want at most ${maxMessageBytes} (maxMessageBytes)`);
    if (mapping.form.format === 'sparkplug') yield* this.#host.steps(mapping, message, outcome);
    else outcome.points.push(...(yield* mapMessage(mapping, message, levels)));
    return true;
  }
}
