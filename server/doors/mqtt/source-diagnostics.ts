// Figures of the sources as tags of a dataset, so that they have a history: `mqtt.<source>.messages` and so on.

import type { Logger } from 'pino';
import type { SourceSnapshot } from '../../metrics/source-figures.ts';
import { timedValue } from './mapping/mapped-point.ts';
import type { PointWriter } from './point-writer.ts';

const INTERVAL_MS = 10_000;

export interface DiagnosticsParts {
  readonly dataset: string;
  readonly writer: PointWriter;
  readonly logger: Logger;
  readonly snapshots: () => readonly SourceSnapshot[];
}

export class SourceDiagnostics {
  readonly #parts: DiagnosticsParts;
  /** What was written last, by tag. */
  readonly #written = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(parts: DiagnosticsParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.#write(), INTERVAL_MS);
  }

  /** Writes how it ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#write();
    await this.#writing;
  }

  /** What has changed since the last time. */
  #write(): void {
    this.#writing = this.#writing.then(async () => {
      const { dataset, writer, logger, snapshots } = this.#parts;
      const nowMs = Date.now();
      const changed = snapshots()
        .flatMap(figuresOf)
        .filter(([tag, value]) => this.#written.get(tag) !== value);
      const points = changed.map(([tag, value]) => ({
        tag,
        ...timedValue(nowMs, String(value), undefined),
        message: tag,
      }));
      try {
        if (points.length > 0) await writer.write(dataset, points);
        for (const [tag, value] of changed) this.#written.set(tag, value);
      } catch (error) {
        if (!this.#hasFailed) logger.warn({ dataset, reason: String(error) }, 'Figures of MQTT cannot be stored.');
        this.#hasFailed = true;
      }
    });
  }
}

function figuresOf({ name, connectedSince, counts, pendingMessages }: SourceSnapshot): [tag: string, value: number][] {
  const figures = { connected: connectedSince === undefined ? 0 : 1, pending: pendingMessages, ...counts };
  return Object.entries(figures).map(([figure, value]) => [`mqtt.${name}.${figure}`, value]);
}
