// What a collector is told, once its file has been read and checked.

export interface NodeSelection {
  /** Ids such as `ns=2;s=Line1.Speed`. */
  readonly ids: readonly string[];
  /** Paths of browse names below the Objects folder; `*` is any text within a step, `**` any number of steps. */
  readonly paths: readonly string[];
  /** Name of the tag, with `{browsePath}`, `{nodeId}` and `{browseName}`. */
  readonly name: string;
  readonly samplingMs: number;
  readonly queueSize: number;
  readonly deadband: DeadbandConfig | undefined;
}

export interface DeadbandConfig {
  readonly kind: 'absolute' | 'percent';
  readonly value: number;
  readonly shortestMs: number;
  readonly longestMs: number;
}

export interface CollectConfig {
  readonly target: { readonly url: URL; readonly token: string | undefined; readonly dataset: string };
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
  readonly nodes: readonly NodeSelection[];
}
