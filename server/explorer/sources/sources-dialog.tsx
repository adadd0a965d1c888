// The page of sources: all that bring points, asked for again while it is open, and how another one is connected.

import '../styles/sources.css';
import { useState } from 'preact/hooks';
import { serverNowMs } from '../api/http.ts';
import { listSources } from '../api/sources.ts';
import { loadedPart } from '../controls/loaded-part.tsx';
import { Modal } from '../controls/modal.tsx';
import { useListed } from '../controls/use-listed.ts';
import { openDialog } from '../state/actions.ts';
import { useMay } from '../user/account.ts';
import { cardsOf, type Figure, type SourceCard } from './source-card.ts';

const OpcUaBrowser = loadedPart(async () => (await import('./opcua-browser.tsx')).OpcUaBrowser);

const WAYS: readonly (readonly [page: string, name: string, meaning: string])[] = [
  ['opcua', 'OPC UA', 'a collector subscribes to variables of servers: varve serve --opcua opcua.json'],
  ['mqtt', 'MQTT, Sparkplug B', 'the server subscribes to topics of brokers: varve serve --mqtt mqtt.json'],
  ['line-protocol', 'Line protocol', 'Telegraf and other clients of InfluxDB write to /write'],
  ['api', 'The API', 'programs of your own write JSON'],
  ['simulator', 'The simulator', 'a made-up plant, to try things on'],
];

export function SourcesDialog() {
  const [all] = useListed(listSources);
  return (
    <Modal title="Sources" onClose={() => openDialog(undefined)}>
      <div class="sources-page">
        {all === undefined ? null : <Cards cards={cardsOf(all, serverNowMs())} />}
        <h3>Connect a source</h3>
        <ul class="source-ways">
          {WAYS.map(([page, name, meaning]) => (
            <li key={page}>
              <a href={`/docs/${page}`}>{name}</a>: {meaning}
            </li>
          ))}
        </ul>
        {useMay('admin') ? <TryOpcUa /> : null}
      </div>
    </Modal>
  );
}

function TryOpcUa() {
  const [isShown, setShown] = useState(false);
  return (
    <section aria-labelledby="try-opcua">
      <h3 id="try-opcua">Look at a server of OPC UA</h3>
      {isShown ? (
        <OpcUaBrowser />
      ) : (
        <button type="button" class="button" onClick={() => setShown(true)}>
          Try an endpoint
        </button>
      )}
    </section>
  );
}

function Cards({ cards }: { readonly cards: readonly SourceCard[] }) {
  if (cards.length === 0)
    return (
      <p>
        Nothing has brought points since the server was started. A source is connected in one of the ways below, and
        then shown here with its state, its rate, and what is wrong with it.
      </p>
    );
  return (
    <ul class="source-cards">
      {cards.map((card) => (
        <Card key={card.key} card={card} />
      ))}
    </ul>
  );
}

function Card({ card }: { readonly card: SourceCard }) {
  const { kind, name, address, state, health, figures, lastError, bad } = card;
  return (
    <li class={`source-card ${health}`}>
      <h3>
        <span class="source-kind">{kind}</span> {name}
      </h3>
      <p>
        <strong>{state}</strong>
        {address === '' ? null : <span class="muted"> · {address}</span>}
      </p>
      <dl>
        {figures.map((figure) => (
          <FigurePair key={figure.label} figure={figure} />
        ))}
      </dl>
      {lastError === undefined ? null : <p class="muted">Last error: {lastError}</p>}
      {bad.length === 0 ? null : (
        <details>
          <summary>The last messages that could not become points</summary>
          <ul>
            {bad.map(({ time, topic, reason, payload }) => (
              <li key={`${time} ${topic}`}>
                {topic}: {reason} <code>{payload}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function FigurePair({ figure }: { readonly figure: Figure }) {
  return (
    <div class={figure.isBad ? 'bad' : undefined}>
      <dt>{figure.label}</dt>
      <dd>{figure.text}</dd>
    </div>
  );
}
