// The pairs of two tags as a table, for who cannot see the dots or wants their numbers.

import { useState } from 'preact/hooks';
import type { TagDefinition } from '../model/tags/tag.ts';
import { formatTime } from '../model/time/axis-labels.ts';
import { formatValue } from '../model/values/value-text.ts';
import { showInTrend } from './show-in-trend.ts';

export interface Pair {
  readonly timeMs: number;
  readonly x: number;
  readonly y: number;
}

interface TableProps {
  readonly pairs: readonly Pair[];
  readonly across: TagDefinition;
  readonly up: TagDefinition;
  /** Tells how exact times are. */
  readonly spanMs: number;
}

/** Its rows, which may be a thousand, are made when it is opened. */
export function PairTable(props: TableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen ? <Rows {...props} /> : null}
    </details>
  );
}

function Rows({ pairs, across, up, spanMs }: TableProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">{across.n}</th>
          <th scope="col">{up.n}</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map(({ timeMs, x, y }) => (
          <tr key={timeMs}>
            <td>
              <button
                type="button"
                class="button quiet"
                title="Mark this time in the trend"
                onClick={() => showInTrend(timeMs)}
              >
                {formatTime(timeMs, spanMs)}
              </button>
            </td>
            <td class="number">{formatValue(across, x)}</td>
            <td class="number">{formatValue(up, y)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
