// All sources of the configuration: started once the server is ready, stopped before it closes. mqtt.js is loaded when
// there are any.

import type { Logger } from 'pino';
import type { Engine } from '../../../engine/index.ts';
import type { TruthTags } from '../../codec/scalars/value-fit.ts';
import type { SourceList, SourceSnapshot } from '../../metrics/source-figures.ts';
import type { SourceConfig } from './config/mqtt-config.ts';
import { DatasetStatuses } from './dataset-statuses.ts';
import { MqttSource } from './mqtt-source.ts';
import { PointWriter } from './point-writer.ts';

export interface SourcesOptions {
  readonly configs: readonly SourceConfig[];
  readonly engine: Engine;
  readonly truths: TruthTags;
  readonly logger: Logger;
}

export class MqttSources implements SourceList {
  readonly #options: SourcesOptions;
  readonly #statuses: DatasetStatuses;
  #sources: readonly MqttSource[] = [];

  constructor(options: SourcesOptions) {
    this.#options = options;
    this.#statuses = new DatasetStatuses(options.engine);
  }

  /** A broker that cannot be reached does not keep the server from starting. */
  async start(): Promise<void> {
    const { configs, engine, truths, logger } = this.#options;
    if (configs.length === 0) return;
    const { connect } = await import('mqtt');
    const parts = { connect, writer: new PointWriter(engine, truths), statuses: this.#statuses, logger };
    this.#sources = configs.map((config) => new MqttSource(config, parts));
    for (const source of this.#sources) source.start();
    this.#statuses.start();
  }

  async stop(): Promise<void> {
    if (this.#sources.length === 0) return;
    await Promise.all(this.#sources.map((source) => source.stop()));
    await this.#statuses.stop();
  }

  snapshots(): SourceSnapshot[] {
    return this.#sources.map((source) => source.snapshot());
  }
}
