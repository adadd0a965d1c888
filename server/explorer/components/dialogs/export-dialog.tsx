// Saves the points or averages of the window as CSV, in the form that a spreadsheet of the plant takes.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type ExportForm, formFault, usualForm } from '../../model/export/export-form.ts';
import { formatSize } from '../../model/time/duration-text.ts';
import { zoneForServer } from '../../model/time/time-zone.ts';
import { AGGREGATES, type AggregateName, INTERVALS } from '../../model/trend/aggregate-choice.ts';
import { notify, openDialog, reportFault } from '../../state/app/actions.ts';
import { exportCsv } from '../../state/export/csv-export.ts';
import { Choice } from '../controls/choice.tsx';
import { Modal } from '../controls/modal.tsx';

const close = (): void => openDialog(undefined);

/** What was chosen last, until the page is loaded again. */
let kept: ExportForm | undefined;

function firstForm(): ExportForm {
  return kept ?? { aggregate: undefined, shape: 'rows', zone: 'shown', ...usualForm(navigator.language) };
}

export function ExportDialog() {
  const [form, setForm] = useState(firstForm);
  const [bytes, setBytes] = useState<number>();
  const reading = useRef(new AbortController());
  useEffect(() => () => reading.current.abort(), []);
  const change = (patch: Partial<ExportForm>): void => {
    kept = { ...form, ...patch };
    setForm(kept);
  };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const fault = formFault(form);
    if (fault !== undefined) return notify(fault, 'fault');
    setBytes(0);
    try {
      const result = await exportCsv(form, setBytes, reading.current.signal);
      notify(resultText(result));
      close();
    } catch (error) {
      setBytes(undefined);
      reportFault(error instanceof TypeError ? new Error('The answer broke off; nothing was saved.') : error);
    }
  };
  return (
    <Modal title="Export the window" onClose={close}>
      <form class="form" onSubmit={(event) => void save(event)}>
        <ContentFields form={form} onChange={change} />
        <TextFields form={form} onChange={change} />
        <p class="muted" aria-live="polite">
          {bytes === undefined
            ? 'Everything in the window, not only what the chart has room for. A file for each dataset.'
            : `${formatSize(bytes / 1e9)} have come.`}
        </p>
        <div class="dialog-foot">
          <button type="submit" class="button primary" disabled={bytes !== undefined}>
            Save
          </button>
        </div>
      </form>
    </Modal>
  );
}

function resultText({ files, bytes, leftOut }: Awaited<ReturnType<typeof exportCsv>>): string {
  const saved = `Saved: ${formatSize(bytes / 1e9)}${files === 1 ? '' : ` in ${files} files`}.`;
  return leftOut.length === 0 ? saved : `${saved} Texts have no averages: without ${leftOut.join(', ')}.`;
}

interface FieldsProps {
  readonly form: ExportForm;
  readonly onChange: (patch: Partial<ExportForm>) => void;
}

function ContentFields({ form: { aggregate, shape }, onChange }: FieldsProps) {
  const choose = (fn: '' | AggregateName): void =>
    onChange({ aggregate: fn === '' ? undefined : { fn, intervalMs: aggregate?.intervalMs } });
  return (
    <>
      <div class="field-row">
        <Choice
          label="Values"
          value={aggregate?.fn ?? ''}
          options={[['', 'every point'], ...AGGREGATES]}
          onValue={choose}
        />
        {aggregate === undefined ? null : (
          <Choice
            label="Interval"
            value={String(aggregate.intervalMs ?? '')}
            options={[['', 'by the window'], ...INTERVALS.map(([text, ms]) => [String(ms), text] as const)]}
            onValue={(text) =>
              onChange({ aggregate: { ...aggregate, intervalMs: text === '' ? undefined : Number(text) } })
            }
          />
        )}
      </div>
      <Choice
        label="Form"
        value={shape}
        options={[
          ['rows', 'long: a line for each value, with its quality'],
          ['wide', 'wide: a column for each tag'],
        ]}
        {...(shape === 'wide' ? { hint: 'A cell is empty where a tag has no point at that time, or a bad one.' } : {})}
        onValue={(one) => onChange({ shape: one })}
      />
    </>
  );
}

function TextFields({ form: { zone, separator, decimal }, onChange }: FieldsProps) {
  return (
    <>
      <Choice
        label="Times"
        value={zone}
        options={[
          ['shown', `by the clocks of ${zoneForServer()}`],
          ['utc', 'UTC (ISO 8601)'],
        ]}
        onValue={(one) => onChange({ zone: one })}
      />
      <div class="field-row">
        <Choice
          label="Columns are separated by"
          value={separator}
          options={[
            [',', 'comma'],
            [';', 'semicolon'],
            ['\t', 'tab'],
          ]}
          onValue={(one) => onChange({ separator: one })}
        />
        <Choice
          label="Decimal sign"
          value={decimal}
          options={[
            ['.', 'point: 62.5'],
            [',', 'comma: 62,5'],
          ]}
          onValue={(one) => onChange({ decimal: one })}
        />
      </div>
    </>
  );
}
