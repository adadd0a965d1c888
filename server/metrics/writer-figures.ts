// What is counted of clients that write over HTTP: collectors, the simulator, agents of line protocol, programs of one's own. A client
// is the name that it gives itself, and the dataset that it writes to; how many are remembered is bounded.

import { PointRate } from '../../collect/point-rate.ts';
import type { WriteCounts } from '../../engine/index.ts';
import type { HttpRequest } from '../http/contract/http-server.ts';
import { ProblemError, shortened } from '../problem.ts';

/** `api`: JSON or MessagePack; `line-protocol`: lines of InfluxDB's clients. */
export type WriteWay = 'api' | 'line-protocol';

export type WriterCount = 'requests' | 'stored' | 'ignored' | 'repeated' | 'expired' | 'rejected' | 'refused';

export interface WriterSnapshot {
  readonly dataset: string;
  /** Name that the client gives itself (User-Agent); empty where it gives none. */
  readonly client: string;
  readonly way: WriteWay;
  /** When it wrote last; absent while all that it sent was refused. */
  readonly lastWrite?: string;
  /** Stored, over the last ten seconds. */
  readonly pointsPerSecond: number;
  readonly counts: Readonly<Record<WriterCount, number>>;
  /** Its time, and why a request was refused last, or points were left out of one. */
  readonly lastError?: string;
}

/** The client of one request, to be found before its body is read. */
export interface WriterOf {
  readonly dataset: string;
  readonly way: WriteWay;
  readonly request: Pick<HttpRequest, 'header'>;
}

/** What a request has come to; `rejected` counts points that were left out of it as faulty. */
export interface Written {
  readonly receipt: Omit<WriteCounts, 'ahead' | 'rejected'>;
  readonly rejected: number;
  /** What was wrong with the first of these. */
  readonly fault?: string | undefined;
}

const MOST_WRITERS = 200;
const MOST_NAME_CHARS = 80;
const MOST_ERROR_CHARS = 400;

export class WriterFigures {
  readonly #nowMs: () => number;
  /** The one that was heard of longest ago comes first. */
  readonly #writers = new Map<string, Writer>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Counts what a request comes to, also where it is refused. */
  async count<T extends Written>(of: WriterOf, write: () => Promise<T>): Promise<T> {
    const writer = this.#find(of);
    try {
      const written = await write();
      writer.add(written, this.#nowMs());
      return written;
    } catch (error) {
      if (error instanceof Error) writer.refuse(error, this.#nowMs());
      throw error;
    }
  }

  /** The one that wrote last comes first. */
  snapshots(): WriterSnapshot[] {
    const nowMs = this.#nowMs();
    return [...this.#writers.values()].reverse().map((writer) => writer.snapshot(nowMs));
  }

  #find({ dataset, way, request }: WriterOf): Writer {
    const client = shortened(request.header('user-agent') ?? '', MOST_NAME_CHARS);
    const key = `${way} ${client}\n${dataset}`;
    const writer = this.#writers.get(key) ?? new Writer(dataset, client, way);
    this.#writers.delete(key);
    this.#writers.set(key, writer);
    const [oldest] = this.#writers.keys();
    if (this.#writers.size > MOST_WRITERS && oldest !== undefined) this.#writers.delete(oldest);
    return writer;
  }
}

class Writer {
  readonly #dataset: string;
  readonly #client: string;
  readonly #way: WriteWay;
  readonly #rate = new PointRate();
  readonly #counts = { requests: 0, stored: 0, ignored: 0, repeated: 0, expired: 0, rejected: 0, refused: 0 };
  #lastMs: number | undefined;
  #lastError: string | undefined;

  constructor(dataset: string, client: string, way: WriteWay) {
    this.#dataset = dataset;
    this.#client = client;
    this.#way = way;
  }

  add({ receipt, rejected, fault }: Written, nowMs: number): void {
    const { written, ignored, repeated, expired } = receipt;
    const counts = this.#counts;
    counts.requests++;
    counts.stored += written;
    counts.ignored += ignored;
    counts.repeated += repeated;
    counts.expired += expired;
    counts.rejected += rejected;
    this.#rate.add(written, nowMs);
    this.#lastMs = nowMs;
    if (fault !== undefined) this.#note(fault, nowMs);
  }

  refuse(error: Error, nowMs: number): void {
    this.#counts.requests++;
    this.#counts.refused++;
    const [fault] = error instanceof ProblemError ? error.errors : [];
    this.#note(fault === undefined ? error.message : `${error.message} ${fault.path}: ${fault.message}`, nowMs);
  }

  #note(words: string, nowMs: number): void {
    this.#lastError = `${new Date(nowMs).toISOString()} ${shortened(words, MOST_ERROR_CHARS)}`;
  }

  snapshot(nowMs: number): WriterSnapshot {
    return {
      dataset: this.#dataset,
      client: this.#client,
      way: this.#way,
      ...(this.#lastMs !== undefined && { lastWrite: new Date(this.#lastMs).toISOString() }),
      pointsPerSecond: this.#rate.perSecond(nowMs),
      counts: { ...this.#counts },
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
    };
  }
}
