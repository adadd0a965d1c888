// The copies of the server's datasets at a centre.

import { sendForJson } from './http.ts';

export interface Copy {
  readonly dataset: string;
  /** Its name at the centre. */
  readonly copy: string;
  /** The address of the centre. */
  readonly centre: string;
  readonly state: 'copying' | 'waiting' | 'stopped';
  /** Why, unless it is copying. */
  readonly reason?: string;
  /** Absent until everything was copied once. */
  readonly lagSeconds?: number;
  /** Tags that have something to be sent. */
  readonly waitingTags: number;
  readonly copiedPoints: number;
  readonly failures: number;
}

export async function listCopies(): Promise<readonly Copy[]> {
  return (await sendForJson<{ copies: readonly Copy[] }>('/api/copies')).copies;
}
