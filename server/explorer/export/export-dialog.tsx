// Saves the points or averages of the window: as CSV in the form that a spreadsheet of the plant takes, as a workbook, or as Parquet.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Choice } from '../controls/choice.tsx';
import { Modal } from '../controls/modal.tsx';
import { type ExportForm, formFault, type ServedKind, usualForm } from '../model/export/export-form.ts';
import { formatSize } from '../model/time/duration-text.ts';
import { zoneForServer } from '../model/time/time-zone.ts';
import { AGGREGATES, type AggregateName, INTERVALS } from '../model/trend/aggregate-choice.ts';
import { notify, openDialog, reportFault } from '../state/actions.ts';
import { exportFiles } from './file-export.ts';

const close = (): void => openDialog(undefined);

/** What was chosen last, until the page is loaded again. */
let kept: ExportForm | undefined;
let keptKind: FileKind = 'csv';

function firstForm(): ExportForm {
  return kept ?? { aggregate: undefined, shape: 'rows', zone: 'shown', ...usualForm(navigator.language) };
}

type FileKind = ServedKind | 'xlsx';

export function ExportDialog() {
  const [form, setForm] = useState(firstForm);
  const [kind, setKind] = useState(keptKind);
  const [come, setCome] = useState<string>();
  const reading = useRef(new AbortController());
  useEffect(() => () => reading.current.abort(), []);
  const change = (patch: Partial<ExportForm>): void => {
    kept = { ...form, ...patch };
    setForm(kept);
  };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const fault = kind === 'csv' ? formFault(form) : undefined;
    if (fault !== undefined) return notify(fault, 'fault');
    setCome('No lines');
    try {
      notify(await saveFile(kind, form, setCome, reading.current.signal));
      close();
    } catch (error) {
      setCome(undefined);
      reportFault(error instanceof TypeError ? new Error('The answer broke off; nothing was saved.') : error);
    }
  };
  return (
    <Modal title="Export the window" onClose={close}>
      <form class="form" onSubmit={(event) => void save(event)}>
        <Choice
          label="File"
          value={kind}
          options={[
            ['csv', 'CSV: a text, for any program'],
            ['xlsx', 'Excel workbook (.xlsx)'],
            ['parquet', 'Parquet: for pandas, Polars, DuckDB, Spark'],
          ]}
          onValue={(one) => {
            keptKind = one;
            setKind(one);
          }}
        />
        <ContentFields kind={kind} form={form} onChange={change} />
        {kind === 'parquet' ? null : <ZoneField form={form} onChange={change} />}
        {kind === 'csv' ? <TextFields form={form} onChange={change} /> : null}
        <p class="muted" aria-live="polite">
          {come === undefined
            ? `Everything in the window, not only what the chart has room for. A ${kind === 'xlsx' ? 'sheet' : 'file'} for each dataset.${kind === 'parquet' ? ' A row for each value, with its quality and its time in UTC.' : ''}`
            : `${come} have come.`}
        </p>
        <div class="dialog-foot">
          <button type="submit" class="button primary" disabled={come !== undefined}>
            Save
          </button>
        </div>
      </form>
    </Modal>
  );
}

/** Gives what is said of it; `onCome` is told how much has come. What makes workbooks is loaded for the first of them. */
async function saveFile(
  kind: FileKind,
  form: ExportForm,
  onCome: (amount: string) => void,
  signal: AbortSignal,
): Promise<string> {
  if (kind !== 'xlsx') {
    const { bytes, files, leftOut } = await exportFiles(kind, form, (count) => onCome(formatSize(count / 1e9)), signal);
    return resultText(`${formatSize(bytes / 1e9)}${files === 1 ? '' : ` in ${files} files`}`, leftOut);
  }
  const { exportXlsx } = await import('./xlsx-export.ts');
  const linesOf = (count: number): string => `${count.toLocaleString('en-US')} lines`;
  const { rows, leftOut } = await exportXlsx(form, (count) => onCome(linesOf(count)), signal);
  return resultText(linesOf(rows), leftOut);
}

function resultText(amount: string, leftOut: readonly string[]): string {
  const saved = `Saved: ${amount}.`;
  return leftOut.length === 0 ? saved : `${saved} Texts have no averages: without ${leftOut.join(', ')}.`;
}

interface FieldsProps {
  readonly form: ExportForm;
  readonly onChange: (patch: Partial<ExportForm>) => void;
}

function ContentFields({ kind, form: { aggregate, shape }, onChange }: FieldsProps & { readonly kind: FileKind }) {
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
      {kind === 'parquet' ? null : (
        <Choice
          label="Form"
          value={shape}
          options={[
            ['rows', 'long: a line for each value, with its quality'],
            ['wide', 'wide: a column for each tag'],
          ]}
          {...(shape === 'wide'
            ? { hint: 'A cell is empty where a tag has no point at that time, or a bad one.' }
            : {})}
          onValue={(one) => onChange({ shape: one })}
        />
      )}
    </>
  );
}

function ZoneField({ form: { zone }, onChange }: FieldsProps) {
  return (
    <Choice
      label="Times"
      value={zone}
      options={[
        ['shown', `by the clocks of ${zoneForServer()}`],
        ['utc', 'UTC (ISO 8601)'],
      ]}
      onValue={(one) => onChange({ zone: one })}
    />
  );
}

function TextFields({ form: { separator, decimal }, onChange }: FieldsProps) {
  return (
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
  );
}
