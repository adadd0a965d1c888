// All saved trends and dashboards, by folder: to open, rename, move, delete and pass on.

import { useEffect, useState } from 'preact/hooks';
import { Field } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';
import { copyText } from '../export/export.ts';
import type { SavedTrend } from '../model/views/saved-trends.ts';
import { sortViews, type ViewHead } from '../model/views/saved-view.ts';
import { openDialog } from '../state/actions.ts';
import { useStore } from '../state/store.ts';
import { useMay } from '../user/account.ts';
import { PlaceForm } from './save-view-dialog.tsx';
import { removeTrend, savedTrends, settleUpload } from './saved.ts';
import { linkToView } from './view-address.ts';
import { moveView, openView, refreshViews, removeView, upload, views } from './views.ts';

const close = (): void => openDialog(undefined);

export function ViewsDialog() {
  const heads = useStore(views, (state) => state.heads);
  const [words, setWords] = useState('');
  useEffect(() => void refreshViews(), []);
  const found = sortViews(heads ?? []).filter((head) => isFound(head, words));
  const folders = [...new Set(found.map(({ folder }) => folder))];
  return (
    <Modal title="Trends and dashboards" onClose={close}>
      <UploadOffer />
      <Field label="Search" value={words} onValue={setWords} isFirst />
      {folders.map((folder) => (
        <section key={folder} class="view-folder" aria-label={folder === '' ? 'No folder' : folder}>
          {folder === '' ? null : <h3>{folder}</h3>}
          <ul class="view-list">
            {found
              .filter((head) => head.folder === folder)
              .map((head) => (
                <ViewRow key={head.id} head={head} />
              ))}
          </ul>
        </section>
      ))}
      {heads !== undefined && found.length === 0 ? (
        <p class="muted">{words === '' ? 'Nothing is saved on the server yet.' : `Nothing found for “${words}”.`}</p>
      ) : null}
      <LocalTrends />
    </Modal>
  );
}

function isFound({ name, folder, owner = '' }: ViewHead, words: string): boolean {
  const text = `${folder}/${name} ${owner}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function ViewRow({ head }: { readonly head: ViewHead }) {
  const [work, setWork] = useState<'none' | 'move' | 'delete'>('none');
  const { id, name, kind, owner, editable } = head;
  const about = [kind === 'dashboard' ? 'Dashboard' : 'Trend', ...(owner === undefined ? [] : [`by ${owner}`])];
  const open = (): void => {
    close();
    void openView(id);
  };
  return (
    <li>
      <div class="view-row">
        <button type="button" class="view-open" onClick={open}>
          <strong>{name}</strong> <small class="muted">{about.join(' ')}</small>
        </button>
        <button
          type="button"
          class="button quiet"
          aria-label={`Copy the link to ${name}`}
          onClick={() => void copyText(linkToView(id), 'The link was copied.')}
        >
          Link
        </button>
        {editable ? <RowWork name={name} onWork={setWork} /> : null}
      </div>
      {work === 'move' ? (
        <PlaceForm
          head={head}
          hasFolder
          label="Rename or move"
          onPlace={async (place) => {
            if (await moveView(head, place)) setWork('none');
          }}
        />
      ) : null}
      {work === 'delete' ? (
        <p class="view-confirm">
          Delete {name} for everybody?{' '}
          <button type="button" class="button destructive" onClick={() => void removeView(head)}>
            Delete {name}
          </button>
          <button type="button" class="button" onClick={() => setWork('none')}>
            Keep it
          </button>
        </p>
      ) : null}
    </li>
  );
}

function RowWork({ name, onWork }: { readonly name: string; readonly onWork: (work: 'move' | 'delete') => void }) {
  return (
    <>
      <button type="button" class="button quiet" aria-label={`Rename or move ${name}`} onClick={() => onWork('move')}>
        Rename
      </button>
      <button type="button" class="button quiet" aria-label={`Delete ${name}…`} onClick={() => onWork('delete')}>
        Delete
      </button>
    </>
  );
}

/** The offer is made once for each browser; later each trend can still be uploaded by itself. */
function UploadOffer() {
  const trends = useStore(savedTrends, (state) => state.trends);
  const isOffered = useStore(savedTrends, (state) => state.isOffered);
  const mayWrite = useMay('write');
  if (!mayWrite || isOffered || trends.length === 0) return null;
  const take = async (): Promise<void> => {
    if (await upload(trends)) settleUpload();
  };
  return (
    <div class="view-offer" role="group" aria-label="Trends of this browser">
      <p>
        {trends.length === 1 ? 'A trend is' : `${trends.length} trends are`} kept in this browser only. On the server
        everybody who may read their datasets can open them.
      </p>
      <button type="button" class="button primary" onClick={() => void take()}>
        Move to the server
      </button>
      <button type="button" class="button" onClick={settleUpload}>
        Not now
      </button>
    </div>
  );
}

function LocalTrends() {
  const trends = useStore(savedTrends, (state) => state.trends);
  if (trends.length === 0) return null;
  return (
    <section class="view-folder" aria-label="In this browser">
      <h3>In this browser</h3>
      <ul class="view-list">
        {trends.map((trend) => (
          <LocalRow key={trend.name} trend={trend} />
        ))}
      </ul>
    </section>
  );
}

function LocalRow({ trend }: { readonly trend: SavedTrend }) {
  const { name, link } = trend;
  const mayWrite = useMay('write');
  return (
    <li class="view-row">
      <a class="view-open" href={`/#${link}`} onClick={close}>
        <strong>{name}</strong>
      </a>
      {mayWrite ? (
        <button
          type="button"
          class="button quiet"
          aria-label={`Upload ${name} to the server`}
          onClick={() => void upload([trend])}
        >
          Upload
        </button>
      ) : null}
      <button type="button" class="button quiet" aria-label={`Remove ${name}`} onClick={() => removeTrend(name)}>
        Remove
      </button>
    </li>
  );
}
