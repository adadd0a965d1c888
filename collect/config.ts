// What a collector is told, once its file has been read and checked.

import type { ValuePart } from './value-part.ts';

export interface NodeSelection {
  /** Ids such as `ns=2;s=Line1.Speed`. */
  readonly ids: readonly string[];
  /** Paths of browse names below the Objects folder; `*` is any text within a step, `**` any number of steps. */
  readonly paths: readonly string[];
  /** Name of the tag, with `{browsePath}`, `{nodeId}`, `{browseName}` and `{part}`. */
  readonly name: string;
  readonly samplingMs: number;
  readonly queueSize: number;
  readonly deadband: DeadbandConfig | undefined;
  /** Elements and fields, each of which becomes a tag; empty: the value as it is. */
  readonly parts: readonly ValuePart[];
}

export interface DeadbandConfig {
  readonly kind: 'absolute' | 'percent';
  readonly value: number;
  readonly shortestMs: number;
  readonly longestMs: number;
}

export interface CollectTarget {
  readonly url: URL;
  /** Else it is this machine. */
  readonly isUrlGiven: boolean;
  readonly token: string | undefined;
  readonly dataset: string;
}

export interface CollectConfig {
  readonly target: CollectTarget;
  readonly endpoints: readonly string[];
  readonly securityPolicy: string;
  readonly securityMode: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Made where it is missing. */
  readonly certificateFolder: string;
  readonly bufferFolder: string;
  readonly bufferLimitBytes: number;
  readonly publishingMs: number;
  /** What the names of tags with the collector's own figures begin with; undefined: there are none. */
  readonly figurePrefix: string | undefined;
  readonly nodes: readonly NodeSelection[];
}
