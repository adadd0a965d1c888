// Whichever dialog is open.

import { useState } from 'preact/hooks';
import { formatView } from '../model/view-state.ts';
import { notify, openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { removeTrend, savedTrends, saveTrend } from '../state/saved.ts';
import { useStore } from '../state/store.ts';
import { AccountDialog, TokenDialog } from './account-dialogs.tsx';
import { AxisDialog } from './axis-dialog.tsx';
import { DatasetDialog, NewDatasetDialog } from './dataset-dialog.tsx';
import { Field } from './field.tsx';
import { Icon } from './icons.tsx';
import { Modal } from './modal.tsx';
import { TagDialog } from './tag-dialog.tsx';
import { SHORTCUTS } from './use-shortcuts.ts';
import { ZoneDialog } from './zone-dialog.tsx';

const close = (): void => openDialog(undefined);

export function Dialogs() {
  const dialog = useStore(app, (state) => state.dialog);
  const needsToken = useStore(app, (state) => state.needsToken);
  if (needsToken) return <TokenDialog />;
  switch (dialog?.kind) {
    case 'tag':
      return <TagDialog tagRef={dialog.ref} />;
    case 'axis':
      return <AxisDialog tagRef={dialog.ref} />;
    case 'new-dataset':
      return <NewDatasetDialog />;
    case 'dataset':
      return <DatasetDialog dataset={dialog.dataset} />;
    case 'save-trend':
      return <SaveDialog />;
    case 'account':
      return <AccountDialog />;
    case 'zone':
      return <ZoneDialog />;
    case 'help':
      return <HelpDialog />;
    case undefined:
      return null;
  }
}

function SaveDialog() {
  const [name, setName] = useState('');
  const trends = useStore(savedTrends, (state) => state.trends);
  const save = (event: Event): void => {
    event.preventDefault();
    saveTrend({ name: name.trim(), link: formatView(app.get().view) });
    close();
    notify(`${name.trim()} was saved in this browser.`);
  };
  return (
    <Modal title="Save this trend" onClose={close}>
      <form class="form" onSubmit={save}>
        <Field label="Name" value={name} onValue={setName} isFirst hint="A trend of the same name is replaced." />
        <div class="dialog-foot">
          <button type="submit" class="button primary" disabled={name.trim() === ''}>
            Save
          </button>
        </div>
        {trends.length === 0 ? null : (
          <ul class="saved-list">
            {trends.map((trend) => (
              <li key={trend.name}>
                {trend.name}
                <button
                  type="button"
                  class="button quiet icon-only"
                  aria-label={`Remove ${trend.name}`}
                  onClick={() => removeTrend(trend.name)}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        )}
      </form>
    </Modal>
  );
}

function HelpDialog() {
  return (
    <Modal title="Keys and help" onClose={close}>
      <dl class="keys">
        {SHORTCUTS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        Hatched: points that are not good. Gaps: null. Shaded: the collector was not well. The{' '}
        <a href="/api/help">API</a> gives all that is shown here.
      </p>
    </Modal>
  );
}
