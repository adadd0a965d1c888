// What a peer is: an engine that a user could take instead, or a yardstick, and the ways to write to it and read from it.

import type { DriveResult, OnAnswered, Sendable } from '../client/write-driver.ts';
import type { FolderFigures } from '../support/folder-figures.ts';
import type { RequestPoints } from '../workloads/bodies.ts';
import type { W1Points } from './bodies/w1-points.ts';

export const PEER_NAMES = ['victoriametrics', 'clickhouse', 'influxdb', 'postgresql', 'plain', 'varve'] as const;
export type PeerName = (typeof PEER_NAMES)[number];

export interface Peer {
  readonly name: PeerName;
  readonly title: string;
  /** What holds when a write has been answered. */
  readonly durability: string;
  /** How the points are read. */
  readonly readVia: string;
  /** Undefined when it is not installed. */
  version(): string | undefined;
  readonly forms: readonly WriteForm[];
  /** Starts it with its files in a new folder. Rejects when it does not become ready. */
  start(place: PeerPlace): Promise<RunningPeer>;
}

/** A way to write. */
export interface WriteForm {
  readonly name: string;
  readonly encode: (points: RequestPoints) => Buffer;
  /** The head of the request; absent where writes are not HTTP. */
  readonly post?: { readonly path: string; readonly contentType?: string; readonly contentEncoding?: string };
  /** `in turn`: each request has all tags, and goes by the next connection. `own tags`: each connection has half of them. */
  readonly sharing: 'in turn' | 'own tags';
  /** Whether reads are measured behind these writes, and not only checked. */
  readonly isRead: boolean;
}

export type Written = Pick<DriveResult, 'elapsedMs' | 'clientCpuSeconds'>;

export interface PeerPlace {
  readonly folder: string;
  readonly form: WriteForm;
  readonly points: W1Points;
}

export interface RunningPeer {
  /** Process whose tree is measured; another one after `settle` when that starts it anew. */
  readonly pid: number;
  /** Resolves when every request was answered. */
  write(load: Sendable, onAnswered: OnAnswered): Promise<Written>;
  /** Everything to the disk, merged as far as it ever will be. */
  settle(): Promise<StoredBytes>;
  /** Points of some tags with `fromMs <= t < toMs`, decoded to numbers. */
  read(tags: readonly number[], fromMs: number, toMs: number): Promise<ReadAnswer>;
  /** The newest value of every tag. */
  latest(): Promise<Tally>;
  stop(): Promise<void>;
}

/** What is kept, without logs that are used again. */
export type StoredBytes = Pick<FolderFigures, 'usedBytes' | 'allocatedBytes'>;

/** What the client adds up of an answer: whoever reads wants numbers. */
export interface Tally {
  readonly count: number;
  readonly valueSum: number;
}

export interface ReadAnswer extends Tally {
  /** Point by point, tags in any order; made when it is asked for, which is not timed. */
  list(): ReadPoint[];
}

/** Time in ms, value, and quality where the peer keeps one with the point. */
export type ReadPoint = readonly [timeMs: number, value: number, quality: number | undefined];
