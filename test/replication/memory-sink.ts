// A sink in memory that can be away, and that fails at random, also after it has taken something.

import type {
  Batch,
  CopiedDataset,
  CopyState,
  DatasetDocument,
  OtherCopy,
  Sink,
  TagDocument,
} from '../../replication/sink.ts';
import { PassingFailure } from '../../replication/sink.ts';

interface Copied {
  readonly name: string;
  document: DatasetDocument | undefined;
  readonly tags: Map<number, TagDocument>;
  /** Points of each tag by ordinal: time and value. */
  readonly points: Map<number, Map<number, string>>;
}

export class MemorySink implements Sink {
  readonly name = 'memory://';
  readonly pace = { lingerMs: 0, heartbeatMs: 50 };
  /** By identity. */
  readonly copies = new Map<string, Copied>();
  /** Asked before, and after, each write: true makes it fail. */
  failsBefore = (): boolean => false;
  failsAfter = (): boolean => false;
  /** Whether it acts like a replica that has not got the newest documents yet. */
  isBehind = false;
  pointsPut = 0;

  async open(): Promise<void> {
    this.#fail(this.failsBefore);
  }

  async datasets(): Promise<readonly OtherCopy[]> {
    return [...this.copies].flatMap(([identity, { name, document }]) =>
      document ? [{ name, identity, edge: document.edge, isDeleted: document.isDeleted }] : [],
    );
  }

  async stateOf({ identity }: CopiedDataset): Promise<CopyState> {
    const copied = this.isBehind ? undefined : this.copies.get(identity);
    const ordinals = new Map<number, number>();
    for (const id of copied?.tags.keys() ?? []) {
      let last = -1;
      for (const ordinal of copied?.points.get(id)?.keys() ?? []) last = Math.max(last, ordinal);
      ordinals.set(id, last + 1);
    }
    const revisions = [copied?.document, ...(copied?.tags.values() ?? [])].map((one) => one?.revision ?? 0);
    return { revision: Math.max(0, ...revisions), ordinals };
  }

  async putDataset(dataset: CopiedDataset, document: DatasetDocument): Promise<void> {
    this.#put(() => {
      const copied = this.#copied(dataset);
      if (document.revision > (copied.document?.revision ?? 0)) copied.document = document;
    });
  }

  async putTags(dataset: CopiedDataset, documents: readonly TagDocument[]): Promise<void> {
    this.#put(() => {
      const { tags } = this.#copied(dataset);
      for (const document of documents)
        if (document.revision > (tags.get(document.id)?.revision ?? 0)) tags.set(document.id, document);
    });
  }

  async putPoints(dataset: CopiedDataset, { points, runs }: Batch): Promise<void> {
    this.#put(() => {
      const copied = this.#copied(dataset);
      for (const { tag, start, count, firstOrdinal } of runs) {
        if (!copied.tags.has(tag.id)) throw new Error(`points of tag ${tag.id} come before its document`);
        const known = copied.points.get(tag.id) ?? new Map<number, string>();
        copied.points.set(tag.id, known);
        for (let i = 0; i < count; i++) {
          const text = `${points.timesMs[start + i]} ${points.numbers[start + i]}`;
          const before = known.get(firstOrdinal + i);
          if (before !== undefined && before !== text) throw new Error(`ordinal ${firstOrdinal + i} has changed`);
          known.set(firstOrdinal + i, text);
          this.pointsPut++;
        }
      }
    });
  }

  async close(): Promise<void> {}

  #put(take: () => void): void {
    this.#fail(this.failsBefore);
    take();
    this.#fail(this.failsAfter);
  }

  #fail(fails: () => boolean): void {
    if (fails()) throw new PassingFailure('the sink is away');
  }

  #copied({ identity, name }: CopiedDataset): Copied {
    const known = this.copies.get(identity);
    if (known) return known;
    const copied = { name, document: undefined, tags: new Map(), points: new Map() };
    this.copies.set(identity, copied);
    return copied;
  }
}
