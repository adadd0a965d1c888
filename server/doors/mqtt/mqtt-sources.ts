// All sources of the configuration: started once the server is ready, stopped before it closes. mqtt.js is loaded when
// there are any.

import type { Logger } from 'pino';
import type { Engine, LateRule } from '../../../engine/index.ts';
import type { TruthTags } from '../../codec/scalars/value-fit.ts';
import type { DroppedPoints } from '../../metrics/dropped-points.ts';
import type { SourceList, SourceSnapshot } from '../../metrics/source-figures.ts';
import type { MqttConfig } from './config/mqtt-config.ts';
import { DatasetStatuses } from './dataset-statuses.ts';
import { MqttSource } from './mqtt-source.ts';
import { PointWriter } from './point-writer.ts';
import { SourceDiagnostics } from './source-diagnostics.ts';

export interface SourcesOptions {
  /** Undefined when there is none. */
  readonly config: MqttConfig | undefined;
  readonly engine: Engine;
  readonly truths: TruthTags;
  /** Rule for late points of datasets that are made here. */
  readonly late: LateRule;
  readonly dropped: DroppedPoints;
  readonly logger: Logger;
}

export class MqttSources implements SourceList {
  readonly #options: SourcesOptions;
  readonly #statuses: DatasetStatuses;
  #sources: readonly MqttSource[] = [];
  #diagnostics: SourceDiagnostics | undefined;

  constructor(options: SourcesOptions) {
    this.#options = options;
    this.#statuses = new DatasetStatuses(options.engine);
  }

  /** A broker that cannot be reached does not keep the server from starting. */
  async start(): Promise<void> {
    const { config, logger } = this.#options;
    if (config === undefined) return;
    const { connect } = await import('mqtt');
    const writer = new PointWriter(this.#options);
    const parts = { connect, writer, statuses: this.#statuses, logger };
    this.#sources = config.sources.map((source) => new MqttSource(source, parts));
    for (const source of this.#sources) source.start();
    this.#statuses.start();
    const { diagnostics: dataset } = config;
    if (dataset === undefined) return;
    this.#diagnostics = new SourceDiagnostics({ dataset, writer, logger, snapshots: () => this.snapshots() });
    this.#diagnostics.start();
  }

  async stop(): Promise<void> {
    if (this.#sources.length === 0) return;
    await Promise.all(this.#sources.map((source) => source.stop()));
    await this.#statuses.stop();
    await this.#diagnostics?.stop();
  }

  snapshots(): SourceSnapshot[] {
    return this.#sources.map((source) => source.snapshot());
  }
}
