// Points that a door had to drop although they were well formed: told in the log, one line a minute.

import type { WriteReceipt } from '../../engine/index.ts';

const LINE_MS = 60_000;

/** A logger, as far as it is needed here. */
export interface DropLog {
  warn(details: object, message: string): void;
}

export interface DropPlace {
  /** A door, or a source of MQTT. */
  readonly door: string;
  readonly dataset: string;
}

type Dropped = Pick<WriteReceipt, 'ignored' | 'expired'>;

export class DroppedPoints {
  readonly #log: DropLog;
  readonly #nowMs: () => number;
  #lineMs = Number.NEGATIVE_INFINITY;
  #ignored = 0;
  #expired = 0;

  constructor(log: DropLog, nowMs: () => number = () => performance.now()) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** Says all that was dropped since the last line, at any door, with the place of the last of it. */
  add({ ignored, expired }: Dropped, place: DropPlace): void {
    if (ignored + expired === 0) return;
    this.#ignored += ignored;
    this.#expired += expired;
    const nowMs = this.#nowMs();
    if (nowMs - this.#lineMs < LINE_MS) return;
    this.#lineMs = nowMs;
    const counts = { ignored: this.#ignored, expired: this.#expired };
    this.#log.warn({ ...place, ...counts }, `Points were dropped. ${WHY}`);
    this.#ignored = 0;
    this.#expired = 0;
  }
}

const WHY =
  'Ignored: earlier than the newest of their tag, in a dataset that ignores late points (docs/late-points.md); expired: older than its purge rules keep.';

/** Why points of a write were dropped, in words, each with its number; empty when none were. */
export function droppedReasons({ ignored, expired }: Dropped): string[] {
  const reasons: string[] = [];
  if (ignored > 0) reasons.push(`points earlier than the newest of their tag dropped=${ignored}`);
  if (expired > 0) reasons.push(`points beyond retention policy dropped=${expired}`);
  return reasons;
}
