// The ways to the dialog of calculated series: for a new one, and for one of the trend.

import { Icon } from '../controls/icons.tsx';
import type { CalculatedRef } from '../model/tags/tag.ts';
import { MOST_TAGS } from '../model/trend/view-state.ts';
import { notify, openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';

export function newCalculated(): void {
  const { view, datasets = [] } = app.get();
  // The datasets may not be read yet; a link names one.
  if (view.dataset === undefined && datasets.length === 0) return;
  if (view.tags.length >= MOST_TAGS) notify(`A trend holds ${MOST_TAGS} lines; remove one first.`);
  else openDialog({ kind: 'calculated', ref: undefined });
}

export function CalculatedButton() {
  return (
    <button
      type="button"
      class="button"
      aria-haspopup="dialog"
      title="Add a series calculated from tags (C)"
      onClick={newCalculated}
    >
      Calculate
    </button>
  );
}

export function EditButton({ edited }: { readonly edited: CalculatedRef }) {
  return (
    <button
      type="button"
      class="button quiet icon-only"
      aria-label={`Edit ${edited.name}`}
      title="Name and expression"
      onClick={() => openDialog({ kind: 'calculated', ref: edited })}
    >
      <Icon name="pen" />
    </button>
  );
}
