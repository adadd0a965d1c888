// Whichever dialog is open.

import { AnnotationDialog } from '../../annotations/annotation-dialog.tsx';
import { AnnotationListDialog } from '../../annotations/annotation-list.tsx';
import { CalculatedDialog } from '../../calculated/calculated-dialog.tsx';
import { CorrectionDialog } from '../../corrections/correction-dialog.tsx';
import { DistributionDialog } from '../../spread/distribution-dialog.tsx';
import { openDialog } from '../../state/app/actions.ts';
import { app } from '../../state/app/app-state.ts';
import { useStore } from '../../state/app/store.ts';
import { StatesDialog } from '../../states/states-dialog.tsx';
import { Modal } from '../controls/modal.tsx';
import { SHORTCUTS } from '../frame/use-shortcuts.ts';
import { AccountDialog, TokenDialog } from './account-dialogs.tsx';
import { AxisDialog } from './axis-dialog.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { DatasetDialog, NewDatasetDialog } from './dataset-dialog.tsx';
import { SaveViewDialog } from './save-view-dialog.tsx';
import { ShiftsDialog } from './shifts-dialog.tsx';
import { TagDialog } from './tag-dialog.tsx';
import { TimesDialog } from './times-dialog.tsx';
import { ViewsDialog } from './views-dialog.tsx';
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
    case 'distribution':
      return <DistributionDialog />;
    case 'annotation':
      return <AnnotationDialog />;
    case 'annotations':
      return <AnnotationListDialog />;
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
        <a href="/api/help">API</a> gives all that is shown here.
      </p>
    </Modal>
  );
}
