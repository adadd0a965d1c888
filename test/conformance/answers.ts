// Shapes of the service's answers, as docs/api.md gives them.

export interface DatasetAnswer {
  readonly n: string;
  readonly pa: number;
  readonly ps: number;
  readonly ldt?: number;
  readonly lda?: number;
  readonly s: number;
  readonly c: number;
  readonly a: number;
}

export interface TagAnswer {
  readonly n: string;
  readonly d?: string;
  readonly f?: string;
  readonly u?: Readonly<Record<string, string>>;
  readonly fl?: Readonly<Record<string, string>>;
  readonly t?: string;
}

export interface TagListAnswer {
  readonly User: readonly TagAnswer[];
  readonly System: readonly TagAnswer[];
}

export interface Tvq {
  readonly t: string;
  readonly v?: unknown;
  readonly q: number;
}

export interface TagDataAnswer {
  readonly t: TagAnswer;
  readonly s: string;
  readonly e: string;
  readonly d: readonly Tvq[];
  readonly next?: string;
  readonly gaps?: readonly { readonly s: string; readonly e: string; readonly points: number }[];
}

export interface MultiReadAnswer {
  readonly s: string;
  readonly e: string;
  readonly tl: readonly TagDataAnswer[];
}

export interface ProblemAnswer {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly key?: string;
  readonly message?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}
