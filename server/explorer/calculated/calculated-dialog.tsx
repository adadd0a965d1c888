// A calculated series: its name, its dataset, and its expression, about which the server says what it thinks while it is typed.

import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Choice } from '../controls/choice.tsx';
import { Field } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';
import { type CalculatedRef, tagsOnly } from '../model/tags/tag.ts';
import { calculatedRef, MOST_NAME_CHARACTERS, tagTerm } from '../model/trend/calculated.ts';
import { addTag, openDialog, replaceTag } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { type ExpressionCheck, useExpressionCheck } from './use-expression-check.ts';

const close = (): void => openDialog(undefined);

/** Without a series a new one. */
export function CalculatedDialog({ edited }: { readonly edited: CalculatedRef | undefined }) {
  return (
    <Modal title={edited === undefined ? 'New calculated series' : `Edit ${edited.name}`} onClose={close}>
      <CalculatedForm edited={edited} />
    </Modal>
  );
}

function CalculatedForm({ edited }: { readonly edited: CalculatedRef | undefined }) {
  const [name, setName] = useState(edited === undefined || edited.name === edited.expression ? '' : edited.name);
  const [dataset, setDataset] = useState(edited?.dataset ?? firstDataset());
  const [expression, setExpression] = useState(edited?.expression ?? '');
  const [unit, setUnit] = useState(edited?.unit ?? '');
  const [format, setFormat] = useState(edited?.format ?? '');
  const text = useRef<HTMLTextAreaElement>(null);
  const check = useExpressionCheck(dataset, expression.trim());
  const isNone = check?.kind === 'none' && check.expression === expression.trim() && check.dataset === dataset;
  const isNameLong = name.trim().length > MOST_NAME_CHARACTERS;
  const style = { unit: unit.trim(), format: format.trim() };
  const ref = isNone || isNameLong ? undefined : calculatedRef(dataset, expression.trim(), name.trim(), style);
  const save = (event: Event): void => {
    event.preventDefault();
    if (ref === undefined) return;
    if (edited === undefined) addTag(ref);
    else replaceTag(edited, ref);
    close();
  };
  return (
    <form class="form" onSubmit={save}>
      <Field
        label="Name"
        value={name}
        onValue={setName}
        hint={isNameLong ? `${MOST_NAME_CHARACTERS} characters at most` : 'empty: the expression itself'}
        isFirst
      />
      <DatasetChoice dataset={dataset} onDataset={setDataset} />
      <ExpressionField host={text} expression={expression} onExpression={setExpression} check={check} isNone={isNone} />
      <TagTerms dataset={dataset} host={text} onExpression={setExpression} />
      <FunctionTerms host={text} onExpression={setExpression} />
      <div class="field-row">
        <Field label="Unit" value={unit} onValue={setUnit} hint="such as m³" />
        <Field label="Format" value={format} onValue={setFormat} hint="such as 0.0 or #,##0" />
      </div>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button type="submit" class="button primary" disabled={ref === undefined}>
          Save
        </button>
      </div>
    </form>
  );
}

function firstDataset(): string {
  const { view, datasets = [] } = app.get();
  return view.dataset ?? view.tags[0]?.dataset ?? datasets[0]?.n ?? '';
}

interface DatasetProps {
  readonly dataset: string;
  readonly onDataset: (dataset: string) => void;
}

function DatasetChoice({ dataset, onDataset }: DatasetProps) {
  const known = useStore(app, (state) => state.datasets) ?? [];
  const names = [...new Set([dataset, ...known.map(({ n }) => n)])].sort();
  const options = names.map((one) => [one, one] as const);
  return <Choice label="Dataset" value={dataset} options={options} onValue={onDataset} hint="of its tags" />;
}

interface ExpressionProps {
  readonly host: RefObject<HTMLTextAreaElement | null>;
  readonly expression: string;
  readonly onExpression: (expression: string) => void;
  readonly check: ExpressionCheck | undefined;
  /** What is there now is no expression. */
  readonly isNone: boolean;
}

function ExpressionField({ host, expression, onExpression, check, isNone }: ExpressionProps) {
  const isFault = check !== undefined && check.kind !== 'fine';
  return (
    <>
      <label class="field">
        <span>Expression</span>
        <textarea
          ref={host}
          class="expression"
          rows={3}
          value={expression}
          spellcheck={false}
          aria-invalid={isNone}
          aria-describedby="expression-check"
          onInput={(event) => onExpression(event.currentTarget.value)}
          onKeyDown={saveByEnter}
        />
        <small>Such as (A.Flow - 'Line 1/Flow') * 60: of the averages of the tags over each interval.</small>
      </label>
      <p id="expression-check" class={isFault ? 'expression-check bad' : 'expression-check muted'} aria-live="polite">
        {check?.text}
      </p>
    </>
  );
}

/** Enter saves, like in a field of one line; with Shift it begins another line. */
function saveByEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  (event.currentTarget as HTMLTextAreaElement).form?.requestSubmit();
}

interface TermsProps {
  readonly dataset: string;
  readonly host: RefObject<HTMLTextAreaElement | null>;
  readonly onExpression: (expression: string) => void;
}

/** The tags of the trend, to be put into the expression as it names them. */
function TagTerms({ dataset, host, onExpression }: TermsProps) {
  const tags = useStore(app, ({ view }) => view.tags);
  const own = tagsOnly(tags).filter((ref) => ref.dataset === dataset);
  if (own.length === 0) return null;
  return (
    <div class="tag-terms" role="group" aria-labelledby="tag-terms">
      <span id="tag-terms" class="muted">
        Tags of the trend, to insert
      </span>
      {own.map(({ name }) => (
        <button
          key={name}
          type="button"
          class="button"
          title={`Insert ${tagTerm(name)}`}
          onClick={() => onExpression(inserted(host, tagTerm(name)))}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** What takes in the past, with what it is put around. */
const FUNCTIONS = [
  ['moving average', 'movingAverage(', ", '10m')", 'Over time, of the last 10 minutes'],
  ['rate', 'rate(', ", 'h')", 'Change in an hour'],
  ['integral', 'integral(', ", 'h')", 'Totaliser: added up over the hours of the window, from its start'],
  ['previous value', 'previous(', ')', 'Of the interval before'],
  ['if', 'if(', ' > 0, 1, 0)', 'One of two values'],
] as const;

function FunctionTerms({ host, onExpression }: Omit<TermsProps, 'dataset'>) {
  return (
    <div class="tag-terms" role="group" aria-labelledby="function-terms">
      <span id="function-terms" class="muted">
        Functions, around what is marked
      </span>
      {FUNCTIONS.map(([name, before, behind, meaning]) => (
        <button
          key={name}
          type="button"
          class="button"
          title={`${meaning}: ${before}…${behind}`}
          onClick={() => onExpression(inserted(host, before, behind))}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** Puts a text in place of what is marked, or two around it; with nothing marked the caret is between them. */
function inserted({ current: text }: TermsProps['host'], before: string, behind?: string): string {
  if (text === null) return '';
  const { selectionStart, selectionEnd, value } = text;
  const marked = value.slice(selectionStart, selectionEnd);
  text.setRangeText(behind === undefined ? before : `${before}${marked}${behind}`, selectionStart, selectionEnd, 'end');
  text.focus();
  if (behind !== undefined && marked === '')
    text.setSelectionRange(selectionStart + before.length, selectionStart + before.length);
  return text.value;
}
