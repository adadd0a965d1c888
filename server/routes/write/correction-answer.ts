// Corrections as they are answered.

import type { CorrectionInfo, Signature } from '../../../engine/index.ts';
import { formatInstant } from '../../codec/scalars/timestamp.ts';

interface SignatureAnswer {
  readonly at: string;
  readonly by: string;
  readonly reason: string;
}

export interface CorrectionAnswer extends SignatureAnswer {
  readonly id: number;
  readonly tag: string;
  readonly kind: CorrectionInfo['kind'];
  readonly start: string;
  readonly end: string;
  /** Points that it gives. */
  readonly points: number;
  /** Null while it is in force. */
  readonly undone: SignatureAnswer | null;
}

export function toCorrectionAnswer(correction: CorrectionInfo): CorrectionAnswer {
  const { id, tag, kind, start, end, points, made, undone } = correction;
  const range = { start: formatInstant(start), end: formatInstant(end) };
  return { id, tag, kind, ...range, points, ...toAnswer(made), undone: undone ? toAnswer(undone) : null };
}

function toAnswer({ at, by, reason }: Signature): SignatureAnswer {
  return { at: formatInstant(at), by, reason };
}
