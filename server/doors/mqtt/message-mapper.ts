// What a message of a source comes to: the first of its topics that the message is of says how.

import type { IncomingMessage } from './broker-link.ts';
import type { SourceConfig } from './config/mqtt-config.ts';
import { PayloadFault } from './mapping/faults.ts';
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

  /** Undefined for a message that nothing is to be made of. Throws a `PayloadFault`. */
  map(message: IncomingMessage): SparkplugOutcome | undefined {
    const levels = message.topic.split('/');
    const mapping = this.#config.topics.find(({ pattern }) => pattern.matches(levels));
    if (mapping === undefined || (message.isRetained && !mapping.takesRetained)) return undefined;
    const { maxMessageBytes } = this.#config;
    if (message.payload.length > maxMessageBytes)
      throw new PayloadFault(`got ${message.payload.length} bytes; want at most ${maxMessageBytes} (maxMessageBytes)`);
    if (mapping.form.format === 'sparkplug') return this.#host.take(mapping, message);
    return { points: mapMessage(mapping, message, levels), definitions: [], signs: [], leftOut: 0 };
  }
}
