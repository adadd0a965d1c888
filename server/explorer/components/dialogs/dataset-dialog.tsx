// A new dataset, or the rules of one that is there.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { createDataset, type DatasetRules, deleteDataset, updateDataset } from '../../api/historian.ts';
import { changeView, chooseDataset, notify, openDialog, reportFault } from '../../state/app/actions.ts';
import { app } from '../../state/app/app-state.ts';
import { refreshDatasets } from '../../state/datasets/datasets.ts';
import { useMay } from '../../state/user/account.ts';
import { ConfirmDelete } from '../controls/confirm-delete.tsx';
import { Field } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';

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
      <RulesForm name={name} age={0} size={0} action="Create" onSave={save}>
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
          <RulesForm name={dataset} age={rules.pa} size={rules.ps} action="Save" onSave={save} />
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

function RuleFacts({ rules: { pa, ps } }: { readonly rules: DatasetRules }) {
  return (
    <dl class="facts-list">
      <dt>Keep at most</dt>
      <dd>{pa === 0 ? 'any age' : `${pa} days`}</dd>
      <dt>Keep at most</dt>
      <dd>{ps === 0 ? 'any size' : `${ps} GB`}</dd>
    </dl>
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

interface FormProps {
  readonly name: string;
  readonly age: number;
  readonly size: number;
  readonly action: string;
  readonly onSave: (rules: DatasetRules) => Promise<void>;
  readonly children?: ComponentChildren;
}

function RulesForm({ name, age, size, action, onSave, children }: FormProps) {
  const [pa, setAge] = useState(String(age));
  const [ps, setSize] = useState(String(size));
  const submit = (event: Event): void => {
    event.preventDefault();
    onSave({ n: name, pa: Math.floor(Number(pa)), ps: Math.floor(Number(ps)) }).catch(reportFault);
  };
  return (
    <form class="form" onSubmit={submit}>
      {children}
      <div class="field-row">
        <Field label="Keep at most, days" type="number" value={pa} onValue={setAge} hint="0 keeps everything" />
        <Field label="Keep at most, GB" type="number" value={ps} onValue={setSize} hint="0 is no limit" />
      </div>
      <div class="dialog-foot">
        <button type="submit" class="button primary" disabled={name.trim() === ''}>
          {action}
        </button>
      </div>
    </form>
  );
}
