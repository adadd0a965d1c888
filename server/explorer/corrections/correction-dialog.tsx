// Corrects points of a tag: what it would do is shown before it is done; below, what was corrected before, to be undone.

import { useEffect, useState } from 'preact/hooks';
import '../styles/corrections.css';
import { Choice } from '../controls/choice.tsx';
import { Field } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';
import { TimeField } from '../controls/time-field.tsx';
import { refreshTags } from '../datasets/datasets.ts';
import type { TagRef } from '../model/tags/tag.ts';
import { formatBound } from '../model/time/time-range.ts';
import { notify, openDialog, pointedTimes, reportFault } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { reload } from '../trend/trend.ts';
import type { CorrectionKind } from './correction.ts';
import { type CorrectionForm, effectText, toDraft, valueFormOf } from './correction-draft.ts';
import { CorrectionList } from './correction-list.tsx';
import { type CorrectionDraft, makeCorrection, previewCorrection } from './corrections-api.ts';

const KINDS: readonly (readonly [kind: CorrectionKind, label: string])[] = [
  ['delete', 'Delete the points of a range'],
  ['replace', 'Replace a range by one value'],
  ['insert', 'Insert a point'],
];
/** Pause in typing after which the server is asked. */
const PAUSE_MS = 250;

export function CorrectionDialog({ tagRef }: { readonly tagRef: TagRef }) {
  const type = useStore(
    app,
    ({ listings }) => listings.get(tagRef.dataset)?.User.find(({ n }) => n === tagRef.name)?.t,
  );
  const isListed = useStore(app, ({ listings }) => listings.has(tagRef.dataset));
  useEffect(() => {
    if (!isListed) void refreshTags(tagRef.dataset);
  }, [isListed, tagRef.dataset]);
  const [form, setForm] = useState(firstForm);
  const [revision, setRevision] = useState(0);
  const draft = toDraft(tagRef, form, valueFormOf(type));
  const change = (patch: Partial<CorrectionForm>): void => setForm({ ...form, ...patch });
  const afterChange = (): void => {
    setRevision(revision + 1);
    reload();
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (typeof draft === 'string') return notify(draft, 'fault');
    try {
      await makeCorrection(draft);
      notify(`${tagRef.name} was corrected; it can be undone here.`);
      afterChange();
    } catch (error) {
      reportFault(error);
    }
  };
  return (
    <Modal title={`Correct ${tagRef.name}`} onClose={() => openDialog(undefined)}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <CorrectionFields form={form} onChange={change} />
        <Preview draft={draft} revision={revision} />
        <div class="dialog-foot">
          <button type="submit" class="button primary" disabled={typeof draft === 'string'}>
            Correct
          </button>
        </div>
      </form>
      <CorrectionList tagRef={tagRef} revision={revision} onUndone={afterChange} />
    </Modal>
  );
}

/** From the mark to the cursor, or between two clicks; of one of them, or of none, the window. */
function firstForm(): CorrectionForm {
  const { window } = app.get();
  const times = pointedTimes();
  const [from = window.startMs, to = times.length === 0 ? window.endMs : from] = times;
  const text = (ms: number): string => formatBound(Math.round(ms / 1000) * 1000);
  return { kind: 'delete', from: text(from), to: text(to), value: '', reason: '' };
}

interface FieldsProps {
  readonly form: CorrectionForm;
  readonly onChange: (patch: Partial<CorrectionForm>) => void;
}

function CorrectionFields({ form, onChange }: FieldsProps) {
  const { kind } = form;
  return (
    <>
      <Choice label="What to do" value={kind} options={KINDS} onValue={(one) => onChange({ kind: one })} />
      <div class="field-row">
        <TimeField label={kind === 'insert' ? 'At' : 'From'} value={form.from} onValue={(from) => onChange({ from })} />
        {kind === 'insert' ? null : <TimeField label="To" value={form.to} onValue={(to) => onChange({ to })} />}
      </div>
      {kind === 'delete' ? null : (
        <Field
          label="Value"
          value={form.value}
          onValue={(value) => onChange({ value })}
          hint={kind === 'replace' ? 'a point at each end of the range' : 'its quality is good'}
        />
      )}
      <Field
        label="Reason"
        value={form.reason}
        onValue={(reason) => onChange({ reason })}
        hint="kept with the correction"
      />
    </>
  );
}

/** What the correction would do; in words why it cannot be done. */
function Preview({ draft, revision }: { readonly draft: CorrectionDraft | string; readonly revision: number }) {
  const [text, setText] = useState('');
  const key = typeof draft === 'string' ? draft : JSON.stringify({ ...draft, reason: '' });
  useEffect(() => {
    if (typeof draft === 'string') {
      setText(draft);
      return undefined;
    }
    const asking = new AbortController();
    const timer = setTimeout(() => {
      previewCorrection(draft, asking.signal).then(
        (effect) => setText(effectText(effect)),
        (error: unknown) => {
          if (!asking.signal.aborted) setText(error instanceof Error ? error.message : String(error));
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [key, revision]);
  return (
    <p class="muted correction-preview" aria-live="polite">
      {text}
    </p>
  );
}
