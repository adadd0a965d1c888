// The head of a printed trend, and its annotations as a list: nobody can point at a mark on paper.

import { aboutText, byText, timeText } from '../annotations/annotation.ts';
import { useShownAnnotations } from '../annotations/annotation-layer.tsx';
import { currentZone } from '../model/time/time-zone.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { views } from '../views/views.ts';
import { paperRange, paperTitle, printedText } from './paper-text.ts';

export function PaperHead({ printedAtMs }: { readonly printedAtMs: number }) {
  const savedAs = useStore(views, ({ trend }) => trend?.name);
  const tags = useStore(app, ({ view }) => view.tags);
  const window = useStore(app, (state) => state.window);
  return (
    <header class="paper-head">
      <h1>
        {paperTitle(
          savedAs,
          tags.map(({ name }) => name),
        )}
      </h1>
      <p>{paperRange(window, zoneName())}</p>
      <p class="muted">{printedText(printedAtMs, VARVE_VERSION)}</p>
    </header>
  );
}

export function PaperAnnotations() {
  const shown = useShownAnnotations();
  const { startMs, endMs } = useStore(app, (state) => state.window);
  if (shown.length === 0) return null;
  return (
    <section class="paper-annotations">
      <h2>Annotations</h2>
      <ul>
        {shown.map((one) => (
          <li key={`${one.dataset} ${one.id}`}>
            <small class="muted">
              {timeText(one, endMs - startMs)} · {aboutText(one)} · {byText(one)}
            </small>
            <p>{one.text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function zoneName(): string {
  const zone = currentZone();
  return zone === 'local' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : zone;
}
