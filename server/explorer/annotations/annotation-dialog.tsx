// One annotation: written, changed and deleted by who may write, shown to everybody else.

import { useState } from 'preact/hooks';
import { Modal } from '../controls/modal.tsx';
import { TimeField } from '../controls/time-field.tsx';
import { tagsOnly } from '../model/tags/tag.ts';
import { formatBound } from '../model/time/time-range.ts';
import { notify, openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { useMay } from '../user/account.ts';
import { type Annotation, aboutText, byText, type Draft, parseTimes, type Subject, timeText } from './annotation.ts';
import { changeAnnotation, createAnnotation, deleteAnnotation } from './annotations-api.ts';
import { annotations, applyChange } from './annotations-state.ts';

const MOST_CHARACTERS = 4000;
const close = (): void => openDialog(undefined);

export function AnnotationDialog() {
  const draft = useStore(annotations, (state) => state.draft);
  const mayWrite = useMay('write');
  if (draft === undefined) return null;
  if (!mayWrite) return draft.annotation === undefined ? null : <ShownAnnotation annotation={draft.annotation} />;
  return (
    <Modal title={draft.annotation === undefined ? 'New annotation' : 'Annotation'} onClose={close}>
      <AnnotationForm draft={draft} />
    </Modal>
  );
}

function ShownAnnotation({ annotation }: { readonly annotation: Annotation }) {
  return (
    <Modal title="Annotation" onClose={close}>
      <p class="muted">
        {timeText(annotation, 0)} · {aboutText(annotation)}
      </p>
      <p class="annotation-text">{annotation.text}</p>
      <p class="muted">{byText(annotation)}</p>
    </Modal>
  );
}

function AnnotationForm({ draft }: { readonly draft: Draft }) {
  const { annotation } = draft;
  const [from, setFrom] = useState(formatBound(draft.startMs));
  const [to, setTo] = useState(draft.endMs === undefined ? '' : formatBound(draft.endMs));
  const [subject, setSubject] = useState(keyOf(draft));
  const [text, setText] = useState(annotation?.text ?? '');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const times = parseTimes(from, to, draft);
    if (typeof times === 'string') {
      notify(times, 'fault');
      return;
    }
    const { dataset, tag } = subjectOf(subject);
    const content = {
      start: times.start,
      text,
      ...(times.end === undefined ? {} : { end: times.end }),
      ...(tag === undefined ? {} : { tag }),
    };
    const change = (): Promise<void> =>
      annotation === undefined ? createAnnotation(dataset, content) : changeAnnotation(annotation, content);
    if (await applyChange(change)) close();
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <label class="field">
        <span>Text</span>
        <textarea
          rows={4}
          maxLength={MOST_CHARACTERS}
          value={text}
          // biome-ignore lint/a11y/noAutofocus: a dialog begins with what is written in it
          autoFocus
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <TimeField label="From" value={from} onValue={setFrom} />
      <TimeField label="To" value={to} onValue={setTo} hint="Empty: a single time." />
      <SubjectField draft={draft} subject={subject} onSubject={setSubject} />
      {annotation === undefined ? null : <p class="muted">{byText(annotation)}</p>}
      <div class="dialog-foot">
        {annotation === undefined ? null : <DeleteButton annotation={annotation} />}
        <button type="submit" class="button primary" disabled={text.trim() === ''}>
          Save
        </button>
      </div>
    </form>
  );
}

interface SubjectProps {
  readonly draft: Draft;
  readonly subject: string;
  readonly onSubject: (subject: string) => void;
}

/** A dataset or one of the tags of the trend. What is there stays in its dataset. */
function SubjectField({ draft, subject, onSubject }: SubjectProps) {
  const tags = useStore(app, ({ view }) => view.tags);
  const own = draft.annotation === undefined ? tags : tags.filter(({ dataset }) => dataset === draft.dataset);
  const datasets = new Set([draft.dataset, ...own.map(({ dataset }) => dataset)]);
  const subjects: Subject[] = [
    ...[...datasets].map((dataset) => ({ dataset, tag: undefined })),
    ...tagsOnly(own).map(({ dataset, name }) => ({ dataset, tag: name })),
    draft,
  ];
  const byKey = new Map(subjects.map((one) => [keyOf(one), aboutText(one)] as const));
  return (
    <label class="field">
      <span>About</span>
      <select value={subject} onChange={(event) => onSubject(event.currentTarget.value)}>
        {[...byKey].map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function keyOf({ dataset, tag }: Subject): string {
  return JSON.stringify(tag === undefined ? [dataset] : [dataset, tag]);
}

function subjectOf(key: string): Subject {
  const [dataset = '', tag] = JSON.parse(key) as string[];
  return { dataset, tag };
}

/** Asks once more. */
function DeleteButton({ annotation }: { readonly annotation: Annotation }) {
  const [isAsked, setAsked] = useState(false);
  const remove = async (): Promise<void> => {
    if (await applyChange(() => deleteAnnotation(annotation))) close();
  };
  return (
    <button
      type="button"
      class={isAsked ? 'button destructive' : 'button'}
      onClick={() => (isAsked ? void remove() : setAsked(true))}
    >
      {isAsked ? 'Delete for good' : 'Delete'}
    </button>
  );
}
