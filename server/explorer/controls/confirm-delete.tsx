// Deletes only what was typed by name.

import { useState } from 'preact/hooks';
import { reportFault } from '../state/actions.ts';

interface ConfirmProps {
  readonly what: string;
  readonly name: string;
  readonly warning: string;
  readonly onDelete: () => Promise<void>;
}

export function ConfirmDelete({ what, name, warning, onDelete }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  return (
    <details class="danger">
      <summary>Delete this {what}…</summary>
      <p>{warning}</p>
      <label class="field">
        <span>
          Type <strong>{name}</strong> to confirm
        </span>
        <input
          value={typed}
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter must not send the form around it.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      </label>
      <button
        type="button"
        class="button destructive"
        disabled={typed !== name}
        onClick={() => void onDelete().catch(reportFault)}
      >
        Delete {what}
      </button>
    </details>
  );
}
