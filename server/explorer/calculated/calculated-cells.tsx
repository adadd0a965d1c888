// What the table says of a calculated series where a tag has values or statistics.

import { STATISTICS_COLUMNS } from '../statistics/statistics-texts.ts';

interface FaultProps {
  readonly fault: string;
  /** Of the table, in place of which it stands. */
  readonly columns: number;
}

/** Why there are no values. */
export function FaultCell({ fault, columns }: FaultProps) {
  return (
    <td class="calculated-fault" colSpan={columns} title={fault}>
      {fault}
    </td>
  );
}

export function NoStatistics() {
  const reason = 'It is calculated, and statistics are of points.';
  return (
    <td class="reason" colSpan={STATISTICS_COLUMNS.length} title={reason}>
      – {reason}
    </td>
  );
}
