// The rules of a dataset: how long points are kept and whether late ones are accepted, as a form or to read.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { DatasetRules } from '../api/historian.ts';
import { Field } from '../controls/field.tsx';
import { reportFault } from '../state/actions.ts';

type LateRules = Required<Pick<DatasetRules, 'late' | 'ldt' | 'lda'>>;

/** What holds where nothing was ever said of late points. */
const WITHOUT_LATE: LateRules = { late: 'ignore', ldt: 0, lda: 0 };
const NEW_RULES: Omit<DatasetRules, 'n'> = { pa: 0, ps: 0 };

export function RuleFacts({ rules }: { readonly rules: DatasetRules }) {
  const { pa, ps } = rules;
  return (
    <dl class="facts-list">
      <dt>Keep at most</dt>
      <dd>{pa === 0 ? 'any age' : `${pa} days`}</dd>
      <dt>Keep at most</dt>
      <dd>{ps === 0 ? 'any size' : `${ps} GB`}</dd>
      <dt>Late points</dt>
      <dd>{formatLate(rules)}</dd>
    </dl>
  );
}

function formatLate({ late, ldt = 0, lda = 0 }: DatasetRules): string {
  if (late !== 'accept') return 'ignored';
  const behind = ldt === 0 ? '' : `, up to ${ldt} ms behind the newest of their tag`;
  return `accepted${behind}${lda === 0 ? '' : `, up to ${lda} days old`}`;
}

interface FormProps {
  readonly name: string;
  /** Current rules; absent for a new dataset. */
  readonly rules?: Omit<DatasetRules, 'n'>;
  readonly action: string;
  readonly onSave: (rules: DatasetRules) => Promise<void>;
  readonly children?: ComponentChildren;
}

export function RulesForm({ name, rules = NEW_RULES, action, onSave, children }: FormProps) {
  const [pa, setAge] = useState(String(rules.pa));
  const [ps, setSize] = useState(String(rules.ps));
  const [late, setLate] = useState<LateRules>({ ...WITHOUT_LATE, ...lateOf(rules) });
  const submit = (event: Event): void => {
    event.preventDefault();
    onSave({ n: name, pa: toWhole(pa), ps: toWhole(ps), ...lateToSend(rules, late) }).catch(reportFault);
  };
  return (
    <form class="form" onSubmit={submit}>
      {children}
      <div class="field-row">
        <Field label="Keep at most, days" type="number" value={pa} onValue={setAge} hint="0 keeps everything" />
        <Field label="Keep at most, GB" type="number" value={ps} onValue={setSize} hint="0 is no limit" />
      </div>
      <LateFields late={late} onLate={setLate} />
      <div class="dialog-foot">
        <button type="submit" class="button primary" disabled={name.trim() === ''}>
          {action}
        </button>
      </div>
    </form>
  );
}

interface LateFieldsProps {
  readonly late: LateRules;
  readonly onLate: (late: LateRules) => void;
}

function LateFields({ late, onLate }: LateFieldsProps) {
  const isAccepted = late.late === 'accept';
  const limit = (name: 'ldt' | 'lda') => ({
    type: 'number' as const,
    value: String(late[name]),
    onValue: (value: string): void => onLate({ ...late, [name]: toWhole(value) }),
  });
  return (
    <>
      <label class="field">
        <span>Late points</span>
        <select
          value={late.late}
          onChange={({ currentTarget: { value } }) =>
            onLate({ ...late, late: value === 'accept' ? 'accept' : 'ignore' })
          }
        >
          <option value="ignore">Ignore</option>
          <option value="accept">Accept</option>
        </select>
        <small>those earlier than the newest of their tag</small>
      </label>
      {isAccepted ? (
        <div class="field-row">
          <Field label="Late by at most, ms" {...limit('ldt')} hint="behind the newest of the tag; 0 is no limit" />
          <Field label="Late from the last, days" {...limit('lda')} hint="before now; 0 is no limit" />
        </div>
      ) : null}
    </>
  );
}

function lateOf({ late, ldt, lda }: Omit<DatasetRules, 'n'>): Partial<LateRules> {
  return { ...(late && { late }), ...(ldt !== undefined && { ldt }), ...(lda !== undefined && { lda }) };
}

/** What was never set, and would change nothing, is left out: earlier versions of the server open such folders. */
function lateToSend(known: Omit<DatasetRules, 'n'>, given: LateRules): Partial<LateRules> {
  const keys = Object.keys(given) as (keyof LateRules)[];
  const sent = keys.filter((key) => known[key] !== undefined || given[key] !== WITHOUT_LATE[key]);
  return Object.fromEntries(sent.map((key) => [key, given[key]]));
}

function toWhole(text: string): number {
  return Math.floor(Number(text));
}
