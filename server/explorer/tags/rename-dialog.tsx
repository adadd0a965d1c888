// Another name for a tag: what becomes of the former one, and what was changed of saved trends and dashboards.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { renameTag } from '../api/historian.ts';
import { Field } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';
import { refreshTags } from '../datasets/datasets.ts';
import type { TagRef } from '../model/tags/tag.ts';
import { openDialog, reportFault } from '../state/actions.ts';
import { reload } from '../trend/trend.ts';
import { type RenamedViews, renameHere, renameInViews } from '../views/rename-in-views.ts';

interface Draft {
  readonly to: string;
  readonly forwards: boolean;
  /** Empty: for good. */
  readonly days: string;
}

interface Renamed {
  readonly to: string;
  /** Undefined while they are being changed, or when that could not be done. */
  readonly views: RenamedViews | undefined;
}

const close = (): void => openDialog(undefined);

export function RenameDialog({ tagRef }: { readonly tagRef: TagRef }) {
  const [renamed, setRenamed] = useState<Renamed>();
  const rename = async ({ to, forwards, days }: Draft): Promise<void> => {
    const { dataset, name } = tagRef;
    try {
      const keepDays = days === '' ? undefined : Number(days);
      await renameTag(dataset, { from: name, to, forwards, keepDays });
      setRenamed({ to, views: undefined });
      renameHere({ dataset, name, to });
      await refreshTags(dataset);
      reload();
      setRenamed({ to, views: await renameInViews({ dataset, name, to }) });
    } catch (error) {
      reportFault(error);
    }
  };
  return (
    <Modal title={`Rename ${tagRef.name}`} onClose={close}>
      {renamed === undefined ? (
        <RenameForm tagRef={tagRef} onRename={rename} />
      ) : (
        <Outcome name={tagRef.name} renamed={renamed} />
      )}
    </Modal>
  );
}

interface FormProps {
  readonly tagRef: TagRef;
  readonly onRename: (draft: Draft) => Promise<void>;
}

function RenameForm({ tagRef, onRename }: FormProps) {
  const [draft, setDraft] = useState<Draft>({ to: tagRef.name, forwards: true, days: '' });
  const [isBusy, setBusy] = useState(false);
  const change = (patch: Partial<Draft>): void => setDraft((old) => ({ ...old, ...patch }));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    await onRename(draft);
    setBusy(false);
  };
  const isKept = draft.days === '' || Number(draft.days) > 0;
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <p class="muted">In dataset {tagRef.dataset}. History, corrections and annotations stay.</p>
      <Field label="New name" value={draft.to} onValue={(to) => change({ to })} isFirst />
      <Field
        label="Keep the former name, days"
        type="number"
        value={draft.days}
        onValue={(days) => change({ days })}
        hint="It leads to the tag for so long. Empty: for good; 0: not at all"
      />
      <label>
        <input
          type="checkbox"
          checked={draft.forwards && isKept}
          disabled={!isKept}
          onChange={(event) => change({ forwards: event.currentTarget.checked })}
        />{' '}
        The former name goes on to be accepted for writing
      </label>
      <p class="muted">Saved trends and dashboards that you may change get the new name.</p>
      <div class="dialog-foot">
        <button type="submit" class="button primary" disabled={isBusy || draft.to === '' || draft.to === tagRef.name}>
          Rename
        </button>
      </div>
    </form>
  );
}

function Outcome({ name, renamed: { to, views } }: { readonly name: string; readonly renamed: Renamed }) {
  const done = useRef<HTMLButtonElement>(null);
  // The focus was in the form, which has gone.
  useLayoutEffect(() => done.current?.focus(), []);
  return (
    <>
      <div role="status">
        <p>
          {name} is called {to} now.
        </p>
        {views === undefined ? null : <p>{viewsText(views)}</p>}
      </div>
      <div class="dialog-foot">
        <button type="button" class="button primary" ref={done} onClick={close}>
          Done
        </button>
      </div>
    </>
  );
}

function viewsText({ changed, left }: RenamedViews): string {
  const were = `${changed} saved ${changed === 1 ? 'trend or dashboard was' : 'trends and dashboards were'} changed.`;
  if (left === 0) return were;
  const others = left === 1 ? '1 has the former name still' : `${left} have the former name still`;
  return `${were} ${others}, and can be read as long as that is kept.`;
}
