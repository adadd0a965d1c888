// Asking for a token, and telling what the one in use may do.

import { useState } from 'preact/hooks';
import type { Role } from '../api/historian.ts';
import { Field } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';
import { formatTime } from '../model/time/axis-labels.ts';
import { openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { reload } from '../trend/trend.ts';
import { chooseFirstView } from '../views/first-view.ts';
import { enterToken, signOut } from './account.ts';

const HOUR_MS = 3_600_000;

const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  read: 'read tags, points, statuses and rules',
  write: 'read; write points and statuses, make and change tags, make datasets',
  admin: 'read and write; change the rules of datasets, delete datasets and tags',
};

export function TokenDialog() {
  const [token, setToken] = useState('');
  const fault = useStore(app, (state) => state.tokenFault);
  const enter = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!(await enterToken(token))) return;
    await chooseFirstView();
    reload();
  };
  return (
    <Modal title="This server wants a token">
      <form class="form" onSubmit={(event) => void enter(event)}>
        {fault === undefined ? null : (
          <p class="form-fault" role="alert">
            {fault}
          </p>
        )}
        <Field label="Token" type="password" value={token} onValue={setToken} isFirst />
        <p class="muted">
          It is kept in this tab only. Whoever runs the server makes one with <code>varve token create</code>.
        </p>
        <div class="dialog-foot">
          <button type="submit" class="button primary" disabled={token.trim() === ''}>
            Enter
          </button>
        </div>
      </form>
    </Modal>
  );
}

export function AccountDialog() {
  const rights = useStore(app, (state) => state.rights);
  if (rights === undefined) return null;
  const { role, datasets, name, expires } = rights;
  return (
    <Modal title={name === '' ? 'Your token' : name} onClose={() => openDialog(undefined)}>
      <dl class="facts-list">
        <dt>Role</dt>
        <dd>
          <strong>{role}</strong>: may {ROLE_TEXTS[role]}
        </dd>
        <dt>Datasets</dt>
        <dd>{datasets.includes('*') ? 'all' : datasets.join(', ')}</dd>
        <dt>Ends</dt>
        <dd>{expires === undefined ? 'never' : formatTime(Date.parse(expires), HOUR_MS)}</dd>
      </dl>
      <div class="dialog-foot">
        <button type="button" class="button primary" onClick={signOut}>
          Sign out
        </button>
      </div>
    </Modal>
  );
}
