// `varve serve --opcua`: the collector in the server's own process, which fills a dataset of this server unless its file names
// another one.

import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { collect } from '../../../collect/collector.ts';
import type { CollectConfig } from '../../../collect/config.ts';
import { messageOf } from '../../../forward/errors.ts';
import { atMost } from '../../../forward/sleep.ts';
import { UsageError } from '../../settings/read-settings.ts';
import { readCollectConfig } from './collect-config.ts';

const STOP_LIMIT_MS = 20_000;

/** How this server is reached from itself. */
export interface OwnTarget {
  readonly url: string;
  /** Gives a token that may write to a dataset. */
  readonly createToken: (dataset: string) => string;
}

/** Throws a `UsageError`: also where the file has no address of a historian and this one cannot be reached by its own. */
export function readInnerConfig(path: string, hasTls: boolean): CollectConfig {
  const config = readCollectConfig(path, {
    readFile: (file) => readFileSync(file, 'utf8'),
    environment: process.env,
  });
  if (hasTls && !config.target.isUrlGiven)
    throw new UsageError(
      `--opcua with TLS: the certificate is for the names that others call the server by. Want such a 'url' in 'target' of ${path}, with a 'token'.`,
    );
  return config;
}

export class InnerCollector {
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  private constructor(config: CollectConfig, logger: Logger) {
    this.#running = this.#run(config, logger);
  }

  static start(config: CollectConfig, own: OwnTarget, logger: Logger): InnerCollector {
    const { target } = config;
    if (target.isUrlGiven) return new InnerCollector(config, logger);
    const url = new URL(own.url);
    return new InnerCollector(
      { ...config, target: { ...target, url, token: own.createToken(target.dataset) } },
      logger,
    );
  }

  /** Sends the rest while the server still takes it; what is left stays on disk for the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await atMost(STOP_LIMIT_MS, this.#running);
  }

  /** A collector that fails does not end the server. */
  async #run(config: CollectConfig, logger: Logger): Promise<void> {
    try {
      await collect({ config, log: (line) => logger.info({ opcua: line }, 'OPC UA.'), signal: this.#stop.signal });
    } catch (error) {
      logger.error(
        { reason: messageOf(error) },
        'The collector of OPC UA has failed; a new start of the server starts it again.',
      );
    }
  }
}
