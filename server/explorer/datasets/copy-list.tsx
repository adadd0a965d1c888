// The copies of datasets at a centre: how far behind each is, and why one stands still. Nothing where none are kept.

import '../styles/sources.css';
import { type Copy, listCopies } from '../api/copies.ts';
import { useListed } from '../controls/use-listed.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

export function CopyList() {
  const copies = useListed(listCopies);
  if (copies.length === 0) return null;
  return (
    <section class="sources" aria-label="Copies">
      <div class="section-head">
        <h2>Copies</h2>
      </div>
      {copies.map((copy) => (
        <CopyRow key={copy.dataset} copy={copy} />
      ))}
    </section>
  );
}

function CopyRow({ copy }: { readonly copy: Copy }) {
  const { dataset, copy: name, centre, reason, waitingTags, copiedPoints, failures } = copy;
  const count = (value: number): string => value.toLocaleString('en-US');
  return (
    <details>
      <summary title={`${name} at ${centre}`}>
        {dataset}: {stateOf(copy)}
      </summary>
      <p class="muted">
        {name} at {centre}
      </p>
      <p class="muted">
        {count(copiedPoints)} points copied, {count(waitingTags)} tags waiting, {count(failures)} failures
      </p>
      {reason === undefined ? null : <p>{reason}</p>}
    </details>
  );
}

function stateOf({ state, lagSeconds }: Copy): string {
  const behind = lagSeconds === undefined ? 'begun' : `${spanOf(lagSeconds)} behind`;
  if (state === 'copying') return behind;
  return state === 'waiting' ? `centre fails, trying again; ${behind}` : `stopped; ${behind}`;
}

function spanOf(seconds: number): string {
  if (seconds < 2 * MINUTE_SECONDS) return `${Math.ceil(seconds)} s`;
  if (seconds < 2 * HOUR_SECONDS) return `${Math.floor(seconds / MINUTE_SECONDS)} min`;
  if (seconds < 2 * DAY_SECONDS) return `${Math.floor(seconds / HOUR_SECONDS)} h`;
  return `${Math.floor(seconds / DAY_SECONDS)} days`;
}
