// A new dataset, or the rules of one that is there.

import { useState } from 'preact/hooks';
import { createDataset, type DatasetRules, deleteDataset, updateDataset } from '../api/historian.ts';
import { ConfirmDelete } from '../controls/confirm-delete.tsx';
import { Field } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';
import { changeView, chooseDataset, notify, openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useMay } from '../user/account.ts';
import { RuleFacts, RulesForm } from './dataset-rules.tsx';
import { refreshDatasets } from './datasets.ts';

const close = (): void => openDialog(undefined);

export function NewDatasetDialog() {
  const [name, setName] = useState('');
  const save = async (rules: DatasetRules): Promise<void> => {
    await createDataset(rules);
    await refreshDatasets();
    chooseDataset(rules.n);
    close();
    notify(`Dataset ${rules.n} was created.`);
  };
  return (
    <Modal title="New dataset" onClose={close}>
      <RulesForm name={name} action="Create" onSave={save}>
        <Field label="Name" value={name} onValue={setName} isFirst />
      </RulesForm>
    </Modal>
  );
}

export function DatasetDialog({ dataset }: { readonly dataset: string }) {
  const rules = app.get().datasets?.find(({ n }) => n === dataset);
  const mayChange = useMay('admin');
  const save = async (changed: DatasetRules): Promise<void> => {
    await updateDataset(changed);
    await refreshDatasets();
    close();
    notify(`The rules of ${dataset} were saved.`);
  };
  return (
    <Modal title={dataset} onClose={close}>
      {rules === undefined ? <p class="muted">This dataset is gone.</p> : null}
      {rules !== undefined && !mayChange ? <RuleFacts rules={rules} /> : null}
      {rules !== undefined && mayChange ? (
        <>
          <RulesForm name={dataset} rules={rules} action="Save" onSave={save} />
          <ConfirmDelete
            what="dataset"
            name={dataset}
            warning="All its tags and all their history are removed from the disk. This cannot be undone; copy its folder first to keep a backup."
            onDelete={() => remove(dataset)}
          />
        </>
      ) : null}
    </Modal>
  );
}

async function remove(dataset: string): Promise<void> {
  await deleteDataset(dataset);
  const { view } = app.get();
  changeView({ dataset: undefined, tags: view.tags.filter((ref) => ref.dataset !== dataset) }, 'same');
  await refreshDatasets();
  const [next] = app.get().datasets ?? [];
  if (next !== undefined) chooseDataset(next.n);
  close();
  notify(`Dataset ${dataset} was deleted.`);
}
