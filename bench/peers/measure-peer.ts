// One measurement of one peer: W1 written in one form, put to rest, read, and every answer compared with what was sent.

import { percentile } from '../report/statistics.ts';
import { ColdAndWarm } from '../support/cold-and-warm.ts';
import { untilIdle } from '../support/idle.ts';
import { treeCpuSeconds, treeMemoryMb } from '../support/process-tree.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { STEP_MS } from '../workloads/write-load.ts';
import { PEERS } from './all-peers.ts';
import { AnswerCheck, type AnswerFaults } from './answer-check.ts';
import { makeW1Points, type W1Points, type W1Size } from './bodies/w1-points.ts';
import { buildPeerLoad, type PeerLoad } from './load.ts';
import type { Peer, PeerName, RunningPeer, StoredBytes, Tally, WriteForm } from './peer.ts';

const HOUR_MS = 3_600_000;
const ROUNDS = 3;
const MANY_TAGS = 100;
const MANY_READS = 3;
const LATEST_READS = 5;
/** Reads that are compared point by point. */
const EXACT_READS = 10;

export interface PeerJob {
  readonly peer: PeerName;
  /** Name of the form. */
  readonly form: string;
  readonly size: W1Size;
  /** Points of each tag in a request. */
  readonly pointsARequest: number;
  /** Reads of one tag in a round. */
  readonly reads: number;
  /** New and empty. */
  readonly folder: string;
}

export interface PeerMeasurement extends AnswerFaults {
  readonly points: number;
  readonly elapsedMs: number;
  /** Processor time of the server, all processes and threads; s per million points. */
  readonly coldCpu: number;
  readonly warmCpu: number;
  readonly cpu: number;
  readonly clientCpu: number;
  /** Memory after the load over that of the empty server; MB. */
  readonly memoryMb: number;
  readonly bodyBytes: number;
  readonly stored: StoredBytes;
  /** Undefined where the peer is not read in this form. */
  readonly reads: ReadTimes | undefined;
}

/** Until the client has numbers; ms. */
export interface ReadTimes {
  readonly oneTagMs: number;
  readonly manyTagsMs: number;
  readonly latestMs: number;
}

export async function measurePeer(job: PeerJob): Promise<PeerMeasurement> {
  const peer: Peer = PEERS[job.peer];
  const form = peer.forms.find(({ name }) => name === job.form) as WriteForm;
  const points = makeW1Points(job.size);
  const load = buildPeerLoad(points, form, job.pointsARequest);
  const running = await peer.start({ folder: job.folder, form, points });
  try {
    await untilIdle(() => treeCpuSeconds(running.pid));
    const written = await measureWrites(running, load);
    const { usedBytes, allocatedBytes } = await running.settle();
    const reader = new Reader(running, points, job.size.seed);
    await reader.checkExactly();
    const reads = form.isRead ? await reader.measure(job.reads) : undefined;
    const { checked, wrong, firstFault } = reader.check;
    return {
      ...written,
      bodyBytes: load.bodyBytes,
      stored: { usedBytes, allocatedBytes },
      reads,
      checked,
      wrong,
      firstFault,
    };
  } finally {
    await running.stop();
  }
}

type WriteFigures = Pick<
  PeerMeasurement,
  'points' | 'elapsedMs' | 'coldCpu' | 'warmCpu' | 'cpu' | 'clientCpu' | 'memoryMb'
>;

async function measureWrites(running: RunningPeer, load: PeerLoad): Promise<WriteFigures> {
  const { pid } = running;
  const emptyMb = treeMemoryMb(pid);
  const progress = new ColdAndWarm(load.points, () => treeCpuSeconds(pid));
  const { elapsedMs, clientCpuSeconds } = await running.write(load, (points) => progress.note(points));
  const { all, cold, warm } = progress.end();
  return {
    points: load.points,
    elapsedMs,
    coldCpu: cold,
    warmCpu: warm,
    cpu: all,
    clientCpu: (clientCpuSeconds / load.points) * 1e6,
    memoryMb: treeMemoryMb(pid) - emptyMb,
  };
}

class Reader {
  readonly check: AnswerCheck;
  readonly #running: RunningPeer;
  readonly #points: W1Points;
  readonly #random: () => number;
  readonly #spanMs: number;

  constructor(running: RunningPeer, points: W1Points, seed: number) {
    this.#running = running;
    this.#points = points;
    this.#random = seededRandom(seed);
    this.#spanMs = Math.min(HOUR_MS, points.endMs - points.startMs);
    this.check = new AnswerCheck(points);
  }

  async checkExactly(): Promise<void> {
    for (let i = 0; i < EXACT_READS; i++) {
      const tag = this.#anyTag();
      const [fromMs, toMs] = this.#anySpan();
      this.check.points(tag, fromMs, toMs, await this.#running.read([tag], fromMs, toMs));
    }
    this.check.latest(await this.#running.latest());
  }

  async measure(oneTagReads: number): Promise<ReadTimes> {
    const oneTag: number[] = [];
    const manyTags: number[] = [];
    const latest: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (let i = 0; i < oneTagReads; i++) oneTag.push(await this.#readSpan([this.#anyTag()]));
      for (let i = 0; i < MANY_READS; i++) manyTags.push(await this.#readSpan(this.#someTags()));
      for (let i = 0; i < LATEST_READS; i++) latest.push(await this.#readLatest());
    }
    return {
      oneTagMs: percentile(oneTag, 0.5),
      manyTagsMs: percentile(manyTags, 0.5),
      latestMs: percentile(latest, 0.5),
    };
  }

  async #readSpan(tags: readonly number[]): Promise<number> {
    const [fromMs, toMs] = this.#anySpan();
    const startedMs = performance.now();
    const answer = await this.#running.read(tags, fromMs, toMs);
    const elapsedMs = performance.now() - startedMs;
    this.check.range(tags, fromMs, toMs, answer);
    return elapsedMs;
  }

  async #readLatest(): Promise<number> {
    const startedMs = performance.now();
    const answer: Tally = await this.#running.latest();
    const elapsedMs = performance.now() - startedMs;
    this.check.latest(answer);
    return elapsedMs;
  }

  #anyTag(): number {
    return Math.floor(this.#random() * this.#points.names.length);
  }

  /** Different ones, spread over all. */
  #someTags(): number[] {
    const tagCount = this.#points.names.length;
    const count = Math.min(MANY_TAGS, tagCount);
    const first = this.#anyTag();
    const step = Math.floor(tagCount / count);
    return Array.from({ length: count }, (_, i) => (first + i * step) % tagCount).sort((a, b) => a - b);
  }

  #anySpan(): [fromMs: number, toMs: number] {
    const { startMs, endMs } = this.#points;
    const steps = Math.floor((endMs - startMs - this.#spanMs) / STEP_MS) + 1;
    const fromMs = startMs + Math.floor(this.#random() * steps) * STEP_MS;
    return [fromMs, fromMs + this.#spanMs];
  }
}
