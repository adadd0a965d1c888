// A line for each broker and each collector: its state, and whether something is lost. The page of sources has the rest.

import '../styles/sources.css';
import { serverNowMs } from '../api/http.ts';
import type { AllSources } from '../api/sources.ts';
import { openDialog } from '../state/actions.ts';
import { cardsOf, summaryOf } from './source-card.ts';

export function SourceLines(all: AllSources) {
  return (
    <ul class="source-lines">
      {cardsOf({ ...all, writers: [] }, serverNowMs()).map((card) => (
        <li key={card.key}>
          <button type="button" title={card.lastError ?? card.address} onClick={() => openDialog({ kind: 'sources' })}>
            {summaryOf(card)}
          </button>
        </li>
      ))}
    </ul>
  );
}
