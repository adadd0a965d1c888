// A tag: what is known of it, and a form to change that.

import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { deleteTag, saveTag } from '../api/historian.ts';
import { serverNowMs } from '../api/http.ts';
import { ConfirmDelete } from '../controls/confirm-delete.tsx';
import { Field, type Pair, PairFields } from '../controls/field.tsx';
import { Modal } from '../controls/modal.tsx';
import { refreshTags } from '../datasets/datasets.ts';
import { findTag, formerNameText } from '../model/tags/former-names.ts';
import { isSameTag, isSystemName, type TagDefinition, type TagRef } from '../model/tags/tag.ts';
import { joinLimits, type LimitTexts, limitsFault, splitLimits } from '../model/values/limit-fields.ts';
import { LIMIT_KINDS } from '../model/values/limits.ts';
import { changeView, notify, openDialog, reportFault } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { reload } from '../trend/trend.ts';
import { useMay } from '../user/account.ts';

const TYPES = [
  'Boolean',
  'SByte',
  'Byte',
  'Int16',
  'UInt16',
  'Int32',
  'UInt32',
  'Int64',
  'UInt64',
  'Single',
  'Double',
  'Decimal',
  'String',
  'DateTime',
];

export function TagDialog({ tagRef }: { readonly tagRef: TagRef }) {
  const listing = useStore(app, ({ listings }) => listings.get(tagRef.dataset));
  const isSystem = isSystemName(tagRef.name);
  const mayChange = useMay('write') && !isSystem;
  useEffect(() => {
    if (listing === undefined) void refreshTags(tagRef.dataset);
  }, [listing, tagRef.dataset]);
  const tag = isSystem
    ? listing?.System.find(({ n }) => `$System.${n}` === tagRef.name)
    : findTag(listing?.User ?? [], tagRef.name, serverNowMs());
  const close = (): void => openDialog(undefined);
  return (
    <Modal title={tag?.n ?? tagRef.name} onClose={close}>
      {tag === undefined ? <p class="muted">This tag could not be found.</p> : null}
      {tag !== undefined && !mayChange ? <TagFacts tag={tag} dataset={tagRef.dataset} /> : null}
      {tag !== undefined && mayChange ? <TagForm tag={tag} dataset={tagRef.dataset} /> : null}
    </Modal>
  );
}

function TagFacts({ tag, dataset }: { readonly tag: TagDefinition; readonly dataset: string }) {
  return (
    <dl class="facts-list">
      <dt>Dataset</dt>
      <dd>{dataset}</dd>
      <dt>Description</dt>
      <dd>{tag.d ?? '–'}</dd>
      <dt>Type</dt>
      <dd>{tag.t ?? '–'}</dd>
      <dt>Unit</dt>
      <dd>{Object.values(tag.u ?? {}).join(', ') || '–'}</dd>
      {tag.former === undefined ? null : (
        <>
          <dt>Former names</dt>
          <dd>{formerNamesText(tag)}</dd>
        </>
      )}
      {Object.entries(tag.fl ?? {}).map(([key, text]) => (
        <Fragment key={key}>
          <dt>{key}</dt>
          <dd>{text}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** The last one first. */
function formerNamesText({ former = [] }: TagDefinition): string {
  const nowMs = serverNowMs();
  return former
    .map((one) => formerNameText(one, nowMs))
    .reverse()
    .join(', ');
}

interface Draft {
  readonly d: string;
  readonly f: string;
  readonly t: string;
  readonly u: readonly Pair[];
  readonly fl: readonly Pair[];
  readonly limits: LimitTexts;
}

function TagForm({ tag, dataset }: { readonly tag: TagDefinition; readonly dataset: string }) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(tag));
  const isAdmin = useMay('admin');
  const change = (patch: Partial<Draft>): void => setDraft((old) => ({ ...old, ...patch }));
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const fault = limitsFault(draft.limits);
    if (fault !== undefined) return notify(fault, 'fault');
    try {
      await saveTag(dataset, tagOf(tag.n, draft));
      await refreshTags(dataset);
      reload();
      openDialog(undefined);
      notify(`${tag.n} was saved.`);
    } catch (error) {
      reportFault(error);
    }
  };
  return (
    <form class="form" onSubmit={(event) => void save(event)}>
      <p class="muted">In dataset {dataset}</p>
      {tag.former === undefined ? null : <p class="muted">Former names: {formerNamesText(tag)}</p>}
      <Field label="Description" value={draft.d} onValue={(d) => change({ d })} isFirst />
      <div class="field-row">
        <TypeField value={draft.t} onValue={(t) => change({ t })} />
        <Field label="Format" value={draft.f} onValue={(f) => change({ f })} hint="such as 0.0 or #,##0" />
      </div>
      <PairFields
        label="Unit or states"
        keyName="number"
        pairs={draft.u}
        onPairs={(u) => change({ u })}
        hint="One entry is a unit, before the number when its key is negative. Several are the texts of states."
      />
      <LimitFields limits={draft.limits} onLimits={(limits) => change({ limits })} />
      <PairFields label="Fields" keyName="name" pairs={draft.fl} onPairs={(fl) => change({ fl })} />
      <div class="dialog-foot">
        {isAdmin ? (
          <button
            type="button"
            class="button"
            onClick={() => openDialog({ kind: 'rename', ref: { dataset, name: tag.n } })}
          >
            Rename…
          </button>
        ) : null}
        <button type="submit" class="button primary">
          Save
        </button>
      </div>
      {isAdmin ? (
        <ConfirmDelete
          what="tag"
          name={tag.n}
          warning="The tag and all its history are removed. This cannot be undone."
          onDelete={() => removeTag(dataset, tag.n)}
        />
      ) : null}
    </form>
  );
}

interface LimitsProps {
  readonly limits: LimitTexts;
  readonly onLimits: (limits: LimitTexts) => void;
}

function LimitFields({ limits, onLimits }: LimitsProps) {
  return (
    <div class="field-row limits" role="group" aria-label="Limits">
      {LIMIT_KINDS.map((kind) => (
        <Field
          key={kind}
          label={`${kind[0]?.toUpperCase()}${kind.slice(1)}`}
          value={limits[kind]}
          onValue={(text) => onLimits({ ...limits, [kind]: text })}
        />
      ))}
    </div>
  );
}

function TypeField({ value, onValue }: { readonly value: string; readonly onValue: (value: string) => void }) {
  return (
    <label class="field">
      <span>Type</span>
      <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {value === '' ? <option value="">open: the first value decides</option> : null}
        {TYPES.map((type) => (
          <option key={type} value={`System.${type}`}>
            {type}
          </option>
        ))}
      </select>
    </label>
  );
}

function draftOf({ d = '', f = '', t = '', u = {}, fl = {} }: TagDefinition): Draft {
  const { limits, others } = splitLimits(fl);
  return { d, f, t, u: Object.entries(u), fl: others, limits };
}

function tagOf(n: string, { d, f, t, u, fl, limits }: Draft): TagDefinition {
  const known = (pairs: readonly Pair[]): Record<string, string> =>
    Object.fromEntries(pairs.filter(([key]) => key.trim() !== '').map(([key, text]) => [key.trim(), text]));
  return { n, d, f, u: known(u), fl: known(joinLimits(fl, limits)), ...(t === '' ? {} : { t }) };
}

async function removeTag(dataset: string, name: string): Promise<void> {
  await deleteTag(dataset, name);
  const tags = app.get().view.tags.filter((ref) => !isSameTag(ref, { dataset, name }));
  changeView({ tags }, 'same');
  await refreshTags(dataset);
  openDialog(undefined);
  notify(`${name} was deleted.`);
}
