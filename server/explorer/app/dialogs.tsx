// Whichever dialog is open.

import { Modal } from '../controls/modal.tsx';
import { openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { AccountDialog, TokenDialog } from '../user/account-dialogs.tsx';
import { loadedDialog } from './loaded-dialog.tsx';
import { SHORTCUTS } from './use-shortcuts.ts';

const AnnotationDialog = loadedDialog(
  async () => (await import('../annotations/annotation-dialog.tsx')).AnnotationDialog,
);
const CalculatedDialog = loadedDialog(
  async () => (await import('../calculated/calculated-dialog.tsx')).CalculatedDialog,
);
const CompareDialog = loadedDialog(async () => (await import('../trend/compare-dialog.tsx')).CompareDialog);
const CopyDialog = loadedDialog(async () => (await import('../export/copy-dialog.tsx')).CopyDialog);
const ExportDialog = loadedDialog(async () => (await import('../export/export-dialog.tsx')).ExportDialog);
const CorrectionDialog = loadedDialog(
  async () => (await import('../corrections/correction-dialog.tsx')).CorrectionDialog,
);
const CursorsDialog = loadedDialog(async () => (await import('../cursors/cursors-dialog.tsx')).CursorsDialog);
const DatasetDialog = loadedDialog(async () => (await import('../datasets/dataset-dialog.tsx')).DatasetDialog);
const NewDatasetDialog = loadedDialog(async () => (await import('../datasets/dataset-dialog.tsx')).NewDatasetDialog);
const RenameDialog = loadedDialog(async () => (await import('../tags/rename-dialog.tsx')).RenameDialog);
const ShiftsDialog = loadedDialog(async () => (await import('../time-window/shifts-dialog.tsx')).ShiftsDialog);
const SourcesDialog = loadedDialog(async () => (await import('../sources/sources-dialog.tsx')).SourcesDialog);
const StatesDialog = loadedDialog(async () => (await import('../time-in-state/states-dialog.tsx')).StatesDialog);
const TagDialog = loadedDialog(async () => (await import('../tags/tag-dialog.tsx')).TagDialog);
const TimesDialog = loadedDialog(async () => (await import('../time-window/times-dialog.tsx')).TimesDialog);
const AnnotationListDialog = loadedDialog(
  async () => (await import('../annotations/annotation-list.tsx')).AnnotationListDialog,
);
const AxisDialog = loadedDialog(async () => (await import('../trend/axis-dialog.tsx')).AxisDialog);
const SaveViewDialog = loadedDialog(async () => (await import('../views/save-view-dialog.tsx')).SaveViewDialog);
const ViewsDialog = loadedDialog(async () => (await import('../views/views-dialog.tsx')).ViewsDialog);
const ZoneDialog = loadedDialog(async () => (await import('../user/zone-dialog.tsx')).ZoneDialog);

const close = (): void => openDialog(undefined);

export function Dialogs() {
  const dialog = useStore(app, (state) => state.dialog);
  const needsToken = useStore(app, (state) => state.needsToken);
  if (needsToken) return <TokenDialog />;
  switch (dialog?.kind) {
    case 'tag':
      return <TagDialog tagRef={dialog.ref} />;
    case 'rename':
      return <RenameDialog tagRef={dialog.ref} />;
    case 'axis':
      return <AxisDialog tagRef={dialog.ref} />;
    case 'calculated':
      return <CalculatedDialog edited={dialog.ref} />;
    case 'new-dataset':
      return <NewDatasetDialog />;
    case 'dataset':
      return <DatasetDialog dataset={dialog.dataset} />;
    case 'views':
      return <ViewsDialog />;
    case 'save-view':
      return <SaveViewDialog />;
    case 'account':
      return <AccountDialog />;
    case 'zone':
      return <ZoneDialog />;
    case 'shifts':
      return <ShiftsDialog />;
    case 'compare':
      return <CompareDialog />;
    case 'times':
      return <TimesDialog />;
    case 'correct':
      return <CorrectionDialog tagRef={dialog.ref} />;
    case 'states':
      return <StatesDialog tagRef={dialog.ref} />;
    case 'export':
      return <ExportDialog />;
    case 'cursors':
      return <CursorsDialog />;
    case 'copy':
      return <CopyDialog />;
    case 'annotation':
      return <AnnotationDialog />;
    case 'annotations':
      return <AnnotationListDialog />;
    case 'sources':
      return <SourcesDialog />;
    case 'help':
      return <HelpDialog />;
    case undefined:
      return null;
  }
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
        <a href="/api/help">API</a> gives all that is shown here; the <a href="/docs">documentation</a> is on this
        server, too, with a page on <a href="/docs/explorer">the Explorer</a>.
      </p>
    </Modal>
  );
}
