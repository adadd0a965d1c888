// A row for each broker and each collector: its state, and below it what it has brought, what is held back, what waits and what was
// refused, with its last error in words.

import '../styles/sources.css';
import type { AllSources, Collector, Source } from '../api/sources.ts';

const STATE_TEXTS: Readonly<Record<Source['state'], string>> = {
  connecting: 'connecting',
  connected: 'connected',
  waiting: 'not connected, trying again',
  holding: 'the dataset takes no points, trying again',
  stopped: 'stopped',
};

const MEGABYTE = 1e6;

export function SourceRows({ sources, collectors }: AllSources) {
  return (
    <section class="sources" aria-label="Sources">
      <div class="section-head">
        <h2>Sources</h2>
      </div>
      {collectors.map((collector) => (
        <CollectorRow key={collector.dataset} collector={collector} />
      ))}
      {sources.map((source) => (
        <SourceRow key={source.name} source={source} />
      ))}
    </section>
  );
}

function CollectorRow({ collector }: { readonly collector: Collector }) {
  const { dataset, state, endpoints, connectedTo, lastError, variables, pointsPerSecond, lagSeconds, counts } =
    collector;
  const { stored = 0, filtered = 0, refused = 0, dropped = 0, overflowed = 0 } = counts;
  const { points, bytes, seconds } = collector.waiting;
  const lag = lagSeconds === undefined ? '' : `, ${lagSeconds.toFixed(1)} s behind`;
  const isBad = refused > 0 || dropped > 0 || overflowed > 0;
  return (
    <details>
      <summary title={endpoints.join(', ')}>
        OPC UA, {dataset}: {STATE_TEXTS[state]}
        {points > 0 ? `, ${count(points)} points wait` : ''}
      </summary>
      <p class="muted">
        {connectedTo ?? endpoints.join(', ')}: {count(variables)} variables, {pointsPerSecond.toFixed(1)} points/s{lag}
      </p>
      <p class="muted">
        {count(stored)} stored, {count(filtered)} filtered;{' '}
        {points === 0
          ? 'nothing waits on disk'
          : `${count(points)} points wait on disk (${(bytes / MEGABYTE).toFixed(1)} MB, the oldest for ${count(seconds)} s)`}
      </p>
      {isBad ? (
        <p>
          {count(refused)} refused, {count(dropped)} without room, {count(overflowed)} times a queue was too short
        </p>
      ) : null}
      {lastError === undefined ? null : <p class="muted">{lastError}</p>}
    </details>
  );
}

function SourceRow({ source }: { readonly source: Source }) {
  const { name, url, state, lastError, counts, pendingMessages, badMessages } = source;
  const { messages = 0, written = 0, bad = 0 } = counts;
  return (
    <details>
      <summary title={url}>
        {name}: {STATE_TEXTS[state]}
        {bad > 0 ? `, ${count(bad)} bad` : ''}
      </summary>
      <p class="muted">
        {count(messages)} messages, {count(written)} points, {count(pendingMessages)} waiting
      </p>
      {state !== 'connected' && lastError !== undefined ? <p class="muted">{lastError}</p> : null}
      <ul>
        {badMessages.map(({ time, topic, reason, payload }) => (
          <li key={`${time} ${topic}`} title={payload}>
            {topic}: {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
