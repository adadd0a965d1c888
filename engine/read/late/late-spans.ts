// Spans of the late points of a tag as they came, in blocks and in the head. Nothing is decoded until it is needed.

import type { Dataset } from '../../dataset/dataset.ts';
import type { DatasetMemory } from '../../dataset/dataset-memory.ts';
import { EngineError } from '../../errors.ts';
import type { Spill } from '../../files/spill.ts';
import { pin, type TagFile, unpin } from '../../files/tag-file.ts';
import { type TimeBounds, timeBounds } from '../../format/block/time-bounds.ts';
import { headParts } from '../../head/head.ts';
import { overlaps, type TimeRange } from '../../points/time-search.ts';
import type { ReadGap } from '../../reads.ts';
import type { OrdinalRange } from '../../tag/deleted-ranges.ts';
import type { Tag } from '../../tag/tag.ts';
import { PointColumns, type ValueType } from '../../types.ts';
import { BlockReader, type BlockSource, blocksOf } from '../block-sources.ts';
import { Coverage } from '../coverage.ts';

/** Points with consecutive ordinals, in the order in which they came. */
export interface LatePoints {
  readonly type: ValueType;
  readonly points: PointColumns;
  readonly firstOrdinal: number;
  /** Indexes of those that are meant: others are in another span. */
  readonly from: number;
  readonly to: number;
}

/** A block, or a copied part of the head. */
interface Source extends TimeBounds {
  readonly held: BlockSource | Pick<LatePoints, 'type' | 'points'>;
  readonly firstOrdinal: number;
  readonly nextOrdinal: number;
}

/** Points of a source that are in no other span. */
type Span = Source & Pick<LatePoints, 'from' | 'to'>;

/** The spans that may have points in a range of time, by their earliest points. Close it, also after an error. */
export class LateSpans {
  readonly gaps: ReadGap[] = [];
  readonly #dataset: Dataset;
  readonly #reader: BlockReader;
  readonly #sources: Source[];
  readonly #spans: Span[];
  readonly #pinned = new Set<TagFile | Spill>();
  #next = 0;
  #isClosed = false;

  /** @param firstOrdinal points that came before it are left out */
  constructor(dataset: Dataset, late: Tag, range: TimeRange, firstOrdinal = 0) {
    this.#dataset = dataset;
    this.#reader = new BlockReader(dataset);
    this.#sources = [...blocksIn(dataset, late), ...headsIn(dataset.memory, late)];
    const ordinals = { from: Math.max(firstOrdinal, late.purgedOrdinal), to: Number.MAX_SAFE_INTEGER };
    this.#spans = eachOnce(this.#sources, ordinals).filter((span) => overlaps(range, span));
    this.#spans.sort((a, b) => a.firstMs - b.firstMs || a.firstTicks - b.firstTicks);
    for (const { held } of this.#spans) if ('file' in held) this.#pin(held.file);
    dataset.files.openCursors++;
  }

  /** The times of the next span; undefined when there is none. */
  get next(): TimeBounds | undefined {
    return this.#spans[this.#next];
  }

  /** The points of the next span; undefined when they cannot be read, which is a gap then. */
  take(): LatePoints | undefined {
    const span = this.#spans[this.#next++] as Span;
    const { held, firstOrdinal, from, to } = span;
    if ('points' in held) return { ...held, firstOrdinal, from, to };
    const points = new PointColumns(held.entry.pointCount);
    try {
      const { type } = this.#reader.read(held, points);
      return { type, points, firstOrdinal, from, to };
    } catch (error) {
      this.#noteDamage(held, error);
      this.#takeElsewhere(span);
      return undefined;
    }
  }

  /** The points of the span with the latest point of those that are left. */
  takeLatest(): LatePoints | undefined {
    let latest = this.#next;
    for (let i = this.#next + 1; i < this.#spans.length; i++) {
      const [a, b] = [this.#spans[i] as Span, this.#spans[latest] as Span];
      if ((a.lastMs - b.lastMs || a.lastTicks - b.lastTicks) > 0) latest = i;
    }
    const [span] = this.#spans.splice(latest, 1);
    this.#spans.splice(this.#next, 0, span as Span);
    return this.take();
  }

  /** The latest time of the spans that are left, in ms. */
  get lastMs(): number {
    let lastMs = Number.NEGATIVE_INFINITY;
    for (let i = this.#next; i < this.#spans.length; i++) lastMs = Math.max(lastMs, (this.#spans[i] as Span).lastMs);
    return lastMs;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#dataset.files.openCursors--;
    this.#reader.close();
    for (const file of this.#pinned) unpin(file);
    this.#pinned.clear();
  }

  #pin(file: TagFile | Spill): void {
    if (this.#pinned.has(file)) return;
    pin(file);
    this.#pinned.add(file);
  }

  /** The points of a span that cannot be read may be in other sources: those come next. The others are a gap. */
  #takeElsewhere(span: Span): void {
    const { firstOrdinal, from, to, firstMs, firstTicks, lastMs, lastTicks } = span;
    this.#sources.splice(
      this.#sources.findIndex(({ held }) => held === span.held),
      1,
    );
    const ordinals = { from: firstOrdinal + from, to: firstOrdinal + to };
    const others = eachOnce(this.#sources, ordinals);
    this.#spans.splice(this.#next, 0, ...others.map((other) => ({ ...other, firstMs, firstTicks })));
    const points = others.reduce((left, other) => left - (other.to - other.from), to - from);
    if (points === 0) return;
    this.gaps.push({ start: { ms: firstMs, ticks: firstTicks }, end: { ms: lastMs, ticks: lastTicks }, points });
  }

  #noteDamage({ entry, file }: BlockSource, error: unknown): void {
    if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
    this.#dataset.counters.damagedBlocks++;
    const message = `A block of ${entry.pointCount} late points cannot be read: ${error.message}.`;
    this.#dataset.report('error', 'block.damaged', message, { path: file.path, offset: entry.offset });
  }
}

/**
 * Spans of ordinals `[from, to)` that have no point twice: a head and a spill, or a spill and a tag file, hold the same for a
 * while. What is known to be lost is only taken where nothing else has it.
 */
function eachOnce(sources: readonly Source[], { from, to }: OrdinalRange): Span[] {
  const taken = new Coverage();
  const spans: Span[] = [];
  for (const source of sources.toSorted(byUse)) {
    const { firstOrdinal } = source;
    const first = Math.max(from, firstOrdinal);
    const next = Math.min(to, source.nextOrdinal);
    for (const part of taken.missing(first, next))
      spans.push({ ...source, from: part.from - firstOrdinal, to: part.to - firstOrdinal });
    taken.add(first, next);
  }
  return spans;
}

function byUse(a: Source, b: Source): number {
  return Number(isLost(a)) - Number(isLost(b)) || a.firstOrdinal - b.firstOrdinal || b.nextOrdinal - a.nextOrdinal;
}

function isLost({ held }: Source): boolean {
  return 'entry' in held && held.entry.sizeBytes === 0;
}

function blocksIn(dataset: Dataset, late: Tag): Source[] {
  return blocksOf(dataset, late).map((held) => {
    const { firstOrdinal, ordinalCount, firstMs, firstTicks, lastMs, lastTicks } = held.entry;
    return { held, firstOrdinal, nextOrdinal: firstOrdinal + ordinalCount, firstMs, firstTicks, lastMs, lastTicks };
  });
}

/** Parts of the head, copied: they change when more points come. */
function headsIn(memory: DatasetMemory, late: Tag): Source[] {
  const sources: Source[] = [];
  for (const part of headParts(late.head)) {
    if (part.count === 0) continue;
    const points = new PointColumns(part.count);
    memory.arena.copy(part, 0, part.count, points);
    const { type, firstOrdinal, nextOrdinal } = part;
    const bounds = timeBounds(points, 0, part.count, 'arrival');
    sources.push({ held: { type, points }, firstOrdinal, nextOrdinal, ...bounds });
  }
  return sources;
}
