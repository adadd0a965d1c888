// Which columns the table has: the values under the cursor, or statistics of the window.

import type { TableColumns } from '../model/trend/view-state.ts';
import { changeView } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';

const CHOICES: readonly { readonly table: TableColumns; readonly label: string }[] = [
  { table: 'values', label: 'Values' },
  { table: 'statistics', label: 'Statistics' },
];

export function ColumnsChoice() {
  const table = useStore(app, ({ view }) => view.table);
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }): void => {
    const chosen = CHOICES.find((choice) => choice.table === currentTarget.value);
    if (chosen !== undefined) changeView({ table: chosen.table });
  };
  return (
    <select class="columns-choice" aria-label="Columns of the table" value={table} onChange={choose}>
      {CHOICES.map((choice) => (
        <option key={choice.table} value={choice.table}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}
