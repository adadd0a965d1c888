// The brokers that bring points: whether they are connected, what they have brought, and what was bad. Nothing where there
// are none.

import '../../styles/sources.css';
import { listSources, type Source } from '../../api/sources.ts';
import { useListed } from './use-listed.ts';

const STATE_TEXTS: Readonly<Record<Source['state'], string>> = {
  connecting: 'connecting',
  connected: 'connected',
  waiting: 'not connected, trying again',
  holding: 'the dataset takes no points, trying again',
  stopped: 'stopped',
};

export function SourceList() {
  const sources = useListed(listSources);
  if (sources.length === 0) return null;
  return (
    <section class="sources" aria-label="Sources">
      <div class="section-head">
        <h2>Sources</h2>
      </div>
      {sources.map((source) => (
        <SourceRow key={source.name} source={source} />
      ))}
    </section>
  );
}

function SourceRow({ source }: { readonly source: Source }) {
  const { name, url, state, lastError, counts, pendingMessages, badMessages } = source;
  const { messages = 0, written = 0, bad = 0 } = counts;
  return (
    <details>
      <summary title={url}>
        {name}: {STATE_TEXTS[state]}
        {bad > 0 ? `, ${bad.toLocaleString('en-US')} bad` : ''}
      </summary>
      <p class="muted">
        {messages.toLocaleString('en-US')} messages, {written.toLocaleString('en-US')} points,{' '}
        {pendingMessages.toLocaleString('en-US')} waiting
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
