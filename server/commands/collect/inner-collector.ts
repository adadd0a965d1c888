// `varve serve --opcua`: the collector in the server's own process, which fills a dataset of this server unless its file names
// another one.

import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { collect } from '../../../collect/collector.ts';
import type { CollectConfig } from '../../../collect/config.ts';
import type { CollectorFigures } from '../../../collect/figure-points.ts';
import { messageOf } from '../../../forward/errors.ts';
import { atMost } from '../../../forward/sleep.ts';
import type { CollectorList, CollectorSnapshot, CollectorState } from '../../metrics/collector-figures.ts';
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

export class InnerCollector implements CollectorList {
  readonly #stop = new AbortController();
  readonly #config: CollectConfig;
  readonly #running: Promise<void>;
  #figures: (() => CollectorFigures) | undefined;
  /** Undefined while it runs. */
  #failure: string | undefined;

  private constructor(config: CollectConfig, logger: Logger) {
    this.#config = config;
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

  snapshots(): CollectorSnapshot[] {
    const figures = this.#figures?.();
    const { target, endpoints } = this.#config;
    const lastError = this.#failure ?? figures?.lastError;
    const { points = 0, bytes = 0, batches = 0, seconds = 0 } = figures?.waiting ?? {};
    const { dropped = 0, refused = 0, ignored = 0 } = figures?.counts ?? {};
    const { stored = 0, filtered = 0, overflowed = 0 } = figures ?? {};
    return [
      {
        kind: 'opcua',
        dataset: target.dataset,
        state: this.#state(figures),
        endpoints,
        ...(figures?.endpoint !== undefined && { connectedTo: figures.endpoint }),
        ...(lastError !== undefined && { lastError }),
        variables: figures?.variables ?? 0,
        pointsPerSecond: figures?.pointsPerSecond ?? 0,
        ...(figures?.lagSeconds !== undefined && { lagSeconds: figures.lagSeconds }),
        counts: { stored, filtered, overflowed, dropped, refused, ignored },
        waiting: { points, bytes, batches, seconds },
      },
    ];
  }

  #state(figures: CollectorFigures | undefined): CollectorState {
    if (this.#failure !== undefined) return 'stopped';
    if (figures?.connected) return 'connected';
    return figures?.lastError === undefined ? 'connecting' : 'waiting';
  }

  /** Sends the rest while the server still takes it; what is left stays on disk for the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await atMost(STOP_LIMIT_MS, this.#running);
  }

  /** A collector that fails does not end the server. */
  async #run(config: CollectConfig, logger: Logger): Promise<void> {
    try {
      await collect({
        config,
        log: (line) => logger.info({ opcua: line }, 'OPC UA.'),
        onBegin: (figures) => {
          this.#figures = figures;
        },
        signal: this.#stop.signal,
      });
    } catch (error) {
      this.#failure = `${new Date().toISOString()} ${messageOf(error)}`;
      logger.error(
        { reason: messageOf(error) },
        'The collector of OPC UA has failed; a new start of the server starts it again.',
      );
    }
  }
}
