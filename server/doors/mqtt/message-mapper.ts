// What a message of a source comes to: the first of its topics that the message is of says how.

import { type BrokerLink, comesAgain, type IncomingMessage } from './broker-link.ts';
import type { SourceConfig } from './config/mqtt-config.ts';
import { PayloadFault } from './mapping/faults.ts';
import type { Steps } from './mapping/steps.ts';
import { mapMessage } from './mapping/topic-mapping.ts';
import { SparkplugHost, type SparkplugOutcome } from './sparkplug/sparkplug-host.ts';

export class MessageMapper {
  readonly #config: SourceConfig;
  readonly #host: SparkplugHost;

  constructor(config: SourceConfig) {
    this.#config = config;
    this.#host = new SparkplugHost(config.sparkplugReorderMs);
  }

  /** The next message that was held and is to be mapped now: those that it waited for have come, or are given up. */
  nextHeld(): IncomingMessage | undefined {
    // Only messages that `map` was given are held.
    return this.#host.held.next(Date.now()) as IncomingMessage | undefined;
  }

  /** How long until a held message is given up waiting; undefined when none is held. */
  get heldForMs(): number | undefined {
    return this.#host.held.waitMs(Date.now());
  }

  /** None waits any longer. */
  endHolding(): void {
    this.#host.held.giveUpAll(Date.now());
  }

  /** The messages of a connection that is over come again over the next one. */
  dropHeldOf(link: BrokerLink): void {
    this.#host.held.drop((message) => comesAgain(message as IncomingMessage, link));
  }

  get sparkplug(): SparkplugHost['figures'] {
    return this.#host.figures;
  }

  /** Adds what a message comes to, in steps; false when nothing is to be made of it. Throws a `PayloadFault`. */
  *map(message: IncomingMessage, outcome: SparkplugOutcome): Steps<boolean> {
    const levels = message.topic.split('/');
    const mapping = this.#config.topics.find(({ pattern }) => pattern.matches(levels));
    if (mapping === undefined || (message.isRetained && !mapping.takesRetained)) return false;
    outcome.rules = mapping.rules;
    const { maxMessageBytes } = this.#config;
    if (message.payload.length > maxMessageBytes)
      throw new PayloadFault(`got ${message.payload.length} bytes; want at most ${maxMessageBytes} (maxMessageBytes)`);
    if (mapping.form.format === 'sparkplug') yield* this.#host.steps(mapping, message, outcome);
    else outcome.points.push(...(yield* mapMessage(mapping, message, levels)));
    return true;
  }
}
