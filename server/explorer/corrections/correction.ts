// A correction as the API answers it.

export type CorrectionKind = 'delete' | 'replace' | 'insert';

export interface CorrectionAnswer {
  readonly id: number;
  readonly tag: string;
  readonly kind: CorrectionKind | 'cut';
  readonly start: string;
  readonly end: string;
  readonly points: number;
  readonly at: string;
  readonly by: string;
  readonly reason: string;
  readonly undone: { readonly at: string; readonly by: string; readonly reason: string } | null;
}
