// Asks under which name and in which folder a view is saved: on the server when the role may, else in this browser.

import { useState } from 'preact/hooks';
import { Field } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';
import { formatView } from '../model/trend/view-state.ts';
import type { ViewHead } from '../model/views/saved-view.ts';
import { notify, openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { useMay } from '../user/account.ts';
import { saveTrend } from './saved.ts';
import { type Place, saveAs, views } from './views.ts';

const close = (): void => openDialog(undefined);

export function SaveViewDialog() {
  const mayWrite = useMay('write');
  const head = useStore(views, ({ board, trend }) => board?.head ?? trend);
  const isBoard = useStore(views, ({ board }) => board !== undefined);
  const submit = async (place: Place): Promise<void> => {
    if (mayWrite) {
      if (await saveAs(place)) close();
      return;
    }
    saveTrend({ name: place.name, link: formatView(app.get().view) });
    close();
    notify(`${place.name} was saved in this browser.`);
  };
  return (
    <Modal title={isBoard ? 'Save this dashboard' : 'Save this trend'} onClose={close}>
      <PlaceForm head={head} hasFolder={mayWrite} label="Save" onPlace={submit} />
      <p class="muted">
        {mayWrite
          ? 'On the server: everybody who may read its datasets can open it.'
          : 'In this browser only: the role read saves nothing on the server.'}
      </p>
    </Modal>
  );
}

interface PlaceProps {
  /** Whose name and folder stand there first. */
  readonly head: ViewHead | undefined;
  readonly hasFolder: boolean;
  readonly label: string;
  readonly onPlace: (place: Place) => Promise<void>;
}

export function PlaceForm({ head, hasFolder, label, onPlace }: PlaceProps) {
  const [name, setName] = useState(head?.name ?? '');
  const [folder, setFolder] = useState(head?.folder ?? '');
  const submit = (event: Event): void => {
    event.preventDefault();
    void onPlace({ name: name.trim(), folder: tidyFolder(folder) });
  };
  return (
    <form class="form" onSubmit={submit}>
      <Field label="Name" value={name} onValue={setName} isFirst />
      {hasFolder ? (
        <Field label="Folder" value={folder} onValue={setFolder} hint="Such as Boilers/North; may be empty." />
      ) : null}
      <div class="dialog-foot">
        <button type="submit" class="button primary" disabled={name.trim() === ''}>
          {label}
        </button>
      </div>
    </form>
  );
}

function tidyFolder(text: string): string {
  const parts = text.split('/').map((part) => part.trim());
  return parts.filter((part) => part !== '').join('/');
}
