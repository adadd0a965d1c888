// The log of corrections as the change feed tells it: points that were removed, and corrections that were made or undone.

import {
  CorrectionLogReader,
  EngineError,
  FIRST_LATE_ORDINAL,
  type Following,
  type Instant,
  PointColumns,
} from '../../../engine/index.ts';
import { CORRECTIONS_TAG } from '../../../replication/log-entries.ts';

export type LogEntry =
  | { readonly kind: 'removed'; readonly tagId: number; readonly start: Instant; readonly lateBelow: number }
  | { readonly kind: 'correction' | 'undone'; readonly id: number };

/** Entries by their ordinals, from the first one of the dataset; what cannot be read is in force nowhere. */
export async function* readLog(
  following: Following,
  end: number,
  turn: () => Promise<void> | undefined,
): AsyncGenerator<[ordinal: number, entry: LogEntry]> {
  const reader = new CorrectionLogReader();
  for (let next = 0; next < end; ) {
    const points = new PointColumns(1000);
    const { firstOrdinal, start, count, nextOrdinal } = following.readPoints(
      CORRECTIONS_TAG,
      next,
      { points: Math.min(1000, end - next), characters: 1_000_000 },
      points,
    );
    for (let i = 0; i < count; i++) {
      if (points.nulls[start + i] !== 0) continue;
      const time = { ms: points.timesMs[start + i] as number, ticks: points.ticks[start + i] as number };
      const entry = toEntry(reader, points.texts.at(points.numbers[start + i] as number), time);
      if (entry !== undefined) yield [firstOrdinal + i, entry];
    }
    if (nextOrdinal <= next) return;
    next = nextOrdinal;
    await turn();
  }
}

function toEntry(reader: CorrectionLogReader, text: string, at: Instant): LogEntry | undefined {
  try {
    const read = reader.read(text, at);
    if (read === undefined) return undefined;
    if ('undone' in read) return { kind: 'undone', id: read.id };
    const { id, kind, tagId, start, endLate } = read;
    return kind === 'cut'
      ? { kind: 'removed', tagId, start, lateBelow: endLate - FIRST_LATE_ORDINAL }
      : { kind: 'correction', id };
  } catch (error) {
    if (error instanceof EngineError && error.code === 'CORRUPT') return undefined;
    throw error;
  }
}
