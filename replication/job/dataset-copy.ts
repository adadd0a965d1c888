// Copies one dataset to a sink, for as long as it follows it. What has changed is known by ids only, and points are read by
// their ordinals, from where the sink has acknowledged them: however long the sink was away, there is nothing to keep in memory.

import type { FollowedTag, Following } from '../../engine/index.ts';
import type { PositionEntry, PositionsFile } from '../edge/positions-file.ts';
import { CORRECTIONS_TAG } from '../log-entries.ts';
import type { CopiedDataset, CopyState, Sink, TagDocument } from '../sink.ts';
import { turn } from '../turns.ts';
import { CopyBatch } from './copy-batch.ts';
import { AheadOfEdge } from './copy-faults.ts';
import { contentOf, describeTag, hashOf } from './describe-tag.ts';
import type { Pace } from './pace.ts';
import { PointsOfEdge } from './points-of-edge.ts';

export interface DatasetCopyParts {
  readonly following: Following;
  readonly dataset: CopiedDataset;
  readonly sink: Sink;
  readonly positions: PositionsFile;
  /** Identity of the edge, 32 hexadecimal digits. */
  readonly edge: string;
  readonly edgeAddress: string;
  readonly nowMs: () => number;
  /** Rejects when the name is another edge's at the sink. */
  readonly checkName: () => Promise<void>;
  readonly pace: Pace;
  /** Ends a round behind the batch that is under way, however much is left. */
  readonly stopped: AbortSignal;
}

/** Documents of tags that are put at once. */
const TAGS_AT_ONCE = 5000;
/** Number of no content, for a tag whose document was sent and not acknowledged. */
const UNKNOWN_CONTENT = -1;
/** Positions that are noted before others may have a turn. */
const POSITIONS_AT_ONCE = 2000;

export class DatasetCopy {
  readonly #parts: DatasetCopyParts;
  readonly #batch = new CopyBatch();
  readonly #kept: PointsOfEdge;
  /** Tags with documents, and with points, that are to be sent. */
  readonly #tags = new Set<number>();
  readonly #points = new Set<number>();
  readonly #documents = new Map<number, TagDocument>();
  #revision = 0;
  #hasNewRules = true;
  #heartbeatMs = Number.NEGATIVE_INFINITY;
  #isBegun = false;
  /** Points that the sink has acknowledged since the start. */
  copiedPoints = 0;
  /** All that was accepted before is copied, ms of the clock. */
  copiedUntilMs: number | null = null;

  constructor(parts: DatasetCopyParts) {
    this.#parts = parts;
    this.#kept = new PointsOfEdge(parts.following);
  }

  get dataset(): CopiedDataset {
    return this.#parts.dataset;
  }

  /** Tags that have something to be sent. */
  get waitingTags(): number {
    return Math.max(this.#tags.size, this.#points.size);
  }

  /** One round: sends all that has changed. Rejects as the sink does, and with AheadOfEdge; call it again then. */
  async round(): Promise<void> {
    const { following, nowMs } = this.#parts;
    if (!this.#isBegun) await this.#begin();
    const untilMs = nowMs();
    const { points, tags, rules } = following.takeChanges();
    for (const id of tags) this.#tags.add(id);
    for (const id of points) this.#points.add(id);
    this.#hasNewRules ||= rules;
    if (!following.isOn) return this.#tellDeleted();
    const ends = this.#endsOf(this.#points);
    await this.#sendTags();
    await this.#sendPoints(ends);
    if (this.#parts.stopped.aborted) return;
    this.copiedUntilMs = untilMs;
    following.noteCopied(untilMs);
    await this.#tellState();
  }

  /** Tells the dataset how its copy is doing, with failures since the start. */
  noteState(failures: number): void {
    this.#parts.following.noteState({ waitingTags: this.waitingTags, failures });
  }

  /** Resolves when there is something to do, a heartbeat is due, or it is stopped. */
  wait(): Promise<void> {
    const { following, sink, stopped } = this.#parts;
    if (stopped.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(heartbeat);
        stopped.removeEventListener('abort', end);
        resolve();
      };
      const heartbeat = setTimeout(end, sink.pace.heartbeatMs);
      stopped.addEventListener('abort', end);
      void following.changed().then(end);
    });
  }

  /** Compares what the sink has with what is here. */
  async #begin(): Promise<void> {
    const { sink, dataset, following, positions, checkName } = this.#parts;
    await checkName();
    const state = await sink.stateOf(dataset);
    this.#checkNotAhead(state);
    this.#revision = state.revision;
    // The name is taken before anything else is there.
    if (state.revision === 0) await this.#putDocument(false);
    for (const tag of following.tags()) {
      this.#goBack(tag, state.ordinals.get(tag.id));
      if (contentOf(tag) !== positions.contentOf(tag.id)) this.#tags.add(tag.id);
      if (positions.ordinalOf(tag.id) < tag.nextOrdinal) this.#points.add(tag.id);
      const pause = turn();
      if (pause) await pause;
    }
    for (const id of [...positions.tags(), ...state.ordinals.keys()])
      if (following.tag(id) === undefined) this.#tags.add(id);
    this.#isBegun = true;
  }

  #checkNotAhead({ ordinals }: CopyState): void {
    const { following, dataset, sink } = this.#parts;
    const { name } = following.definition;
    for (const [id, next] of ordinals) {
      const tag = following.tag(id);
      // A power failure may take the last points of what the server notes of itself.
      if (tag?.isSystem && id !== CORRECTIONS_TAG) continue;
      const isAhead = tag === undefined ? id >= following.nextTagId : next > tag.nextOrdinal;
      if (!isAhead) continue;
      const what = tag === undefined ? `a tag with number ${id}` : `${next} points of tag '${tag.definition.name}'`;
      const here =
        tag === undefined ? `${following.nextTagId - 1} is the last one here` : `${tag.nextOrdinal} are here`;
      throw new AheadOfEdge(
        `${sink.name} has ${what} of dataset '${dataset.name}', and ${here}: the dataset was restored from a backup, or another edge writes the same copy. Start with --centre-restored ${name} to begin a new copy; the old one counts as deleted there.`,
      );
    }
  }

  /** A sink that has lost something gets it again. `there` is where its points of the tag end, as it says. */
  #goBack({ id, isSystem }: FollowedTag, there: number | undefined): void {
    const { positions } = this.#parts;
    if (!positions.has(id) || (isSystem && id !== CORRECTIONS_TAG)) return;
    if (there === undefined) positions.forget(id);
    else if (there < positions.ordinalOf(id)) this.#notePositions([[id, there, positions.contentOf(id) ?? 0]]);
  }

  /**
   * The ordinals up to which tags are sent in a round: all of the same moment, so that what has come later, such as points
   * behind a cut, comes with the documents of the next one.
   */
  #endsOf(ids: Iterable<number>): Map<number, number> {
    const ends = new Map<number, number>();
    for (const id of ids) ends.set(id, this.#parts.following.tag(id)?.nextOrdinal ?? 0);
    return ends;
  }

  async #sendTags(): Promise<void> {
    // A tag must be known before its points.
    for (const id of this.#points) if (!this.#parts.positions.has(id)) this.#tags.add(id);
    while (this.#tags.size > 0 && !this.#parts.stopped.aborted) {
      const ids = take(this.#tags, TAGS_AT_ONCE);
      // A batch has one revision: counted by tags it would run ahead of the clock, which is all that a start may have.
      const revision = this.#nextRevision();
      const documents = ids.map((id) => this.#document(id, revision));
      this.#notePositions(documents.flatMap((document) => this.#announced(document)));
      await this.#parts.sink.putTags(this.dataset, documents, this.#kept);
      for (const document of documents) this.#noteDocument(document);
      this.#notePositions(documents.map((document) => this.#entryOf(document)));
      for (const id of ids) this.#tags.delete(id);
      const pause = turn();
      if (pause) await pause;
    }
  }

  #noteDocument(document: TagDocument): void {
    if (document.isDeleted) {
      this.#documents.delete(document.id);
      this.#points.delete(document.id);
    } else this.#documents.set(document.id, document);
  }

  /**
   * Before it is sent: the sink may have a document whose answer is lost. It is told of the tag then when that is deleted, or is
   * again what it was before.
   */
  #announced({ id, isDeleted }: TagDocument): PositionEntry[] {
    return isDeleted ? [] : [[id, this.#parts.positions.ordinalOf(id), UNKNOWN_CONTENT]];
  }

  #entryOf(document: TagDocument): PositionEntry {
    const { id, isDeleted } = document;
    return isDeleted ? [id, -1, 0] : [id, this.#parts.positions.ordinalOf(id), hashOf(document)];
  }

  #document(id: number, revision: number): TagDocument {
    const tag = this.#parts.following.tag(id);
    if (tag) return describeTag(tag, revision);
    const known = this.#documents.get(id);
    const definition = known?.definition ?? { name: '', type: 0 };
    return { id, revision, isDeleted: true, definition, isSystem: false, lateOf: undefined, deleted: [] };
  }

  async #sendPoints(ends: ReadonlyMap<number, number>): Promise<void> {
    const { positions, following, pace } = this.#parts;
    pace.begin();
    this.#batch.clear();
    const finished: number[] = [];
    for (const id of this.#inOrder(ends.keys())) {
      const document = this.#documentOf(id);
      const end = ends.get(id) ?? 0;
      let at = positions.ordinalOf(id);
      for (let next = at; document && at < end; at = next) {
        if (this.#batch.isFull) await this.#flush(finished);
        if (this.#parts.stopped.aborted) return;
        next = this.#batch.take(following, document, at, end);
        if (next === at) break;
        const pause = turn();
        if (pause) await pause;
      }
      finished.push(id);
    }
    await this.#flush(finished);
  }

  /** The server's own tags, with the log of corrections, first; late points behind those that they are late for. */
  #inOrder(ids: Iterable<number>): number[] {
    const system: number[] = [];
    const own: number[] = [];
    const late: number[] = [];
    for (const id of ids) {
      const document = this.#documentOf(id);
      if (document?.isSystem) system.push(id);
      else (document?.lateOf === undefined ? own : late).push(id);
    }
    return [...system, ...own, ...late];
  }

  #documentOf(id: number): TagDocument | undefined {
    const known = this.#documents.get(id);
    const tag = known ? undefined : this.#parts.following.tag(id);
    if (tag) this.#documents.set(id, describeTag(tag, 0));
    return this.#documents.get(id);
  }

  /** Sends the batch; the tags that are finished have nothing left then, but for what is noted meanwhile. */
  async #flush(finished: number[]): Promise<void> {
    const { sink } = this.#parts;
    const { runs, next } = this.#batch;
    if (runs.length > 0) {
      await this.#parts.pace.wait();
      await sink.putPoints(this.dataset, this.#batch);
      for (const { count } of runs) this.copiedPoints += count;
    }
    await this.#noteSent(next);
    for (const id of finished.splice(0)) this.#points.delete(id);
    this.#batch.clear();
  }

  /** In parts: a point of each of very many tags makes as many entries. */
  async #noteSent(next: ReadonlyMap<number, number>): Promise<void> {
    let part: PositionEntry[] = [];
    for (const [id, ordinal] of next) {
      part.push([id, ordinal, this.#parts.positions.contentOf(id) ?? 0]);
      if (part.length < POSITIONS_AT_ONCE) continue;
      this.#notePositions(part);
      part = [];
      const pause = turn();
      if (pause) await pause;
    }
    this.#notePositions(part);
  }

  #notePositions(entries: readonly PositionEntry[]): void {
    this.#parts.positions.note(entries);
  }

  async #tellState(): Promise<void> {
    const nowMs = this.#parts.nowMs();
    if (!this.#hasNewRules && nowMs - this.#heartbeatMs < this.#parts.sink.pace.heartbeatMs) return;
    await this.#putDocument(false);
    this.#hasNewRules = false;
    this.#heartbeatMs = nowMs;
  }

  async #tellDeleted(): Promise<void> {
    await this.#putDocument(true);
    this.#parts.positions.remove();
  }

  #putDocument(isDeleted: boolean): Promise<void> {
    const { sink, dataset, edge, edgeAddress, following, nowMs } = this.#parts;
    const { name: _, ...rules } = following.definition;
    const { copiedUntilMs } = this;
    const document = {
      revision: this.#nextRevision(),
      edge,
      edgeAddress,
      isDeleted,
      rules,
      copiedUntilMs,
      writtenMs: nowMs(),
    };
    return sink.putDataset(dataset, document);
  }

  #nextRevision(): number {
    this.#revision = Math.max(this.#revision + 1, this.#parts.nowMs());
    return this.#revision;
  }
}

function take(ids: ReadonlySet<number>, most: number): number[] {
  const taken: number[] = [];
  for (const id of ids) {
    if (taken.length === most) break;
    taken.push(id);
  }
  return taken;
}
