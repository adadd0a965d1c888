// What the table says of a calculated series: why there are no values, and that there are no statistics.

import { STATISTICS_COLUMNS } from '../statistics/statistics-texts.ts';

/** At least as many as the table has. */
const ALL_COLUMNS = 20;

/** Below the row of the series: why there are no values. */
export function FaultRow({ fault }: { readonly fault: string }) {
  return (
    <tr>
      <td class="calculated-fault" colSpan={ALL_COLUMNS}>
        {fault}
      </td>
    </tr>
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
