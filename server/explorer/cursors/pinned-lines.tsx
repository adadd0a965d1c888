// Cursors that stay, in the chart: a line for each, with its number.

import { app, cursor } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';

export function PinnedLines() {
  const pinsMs = useStore(cursor, (state) => state.pinsMs);
  const { startMs, endMs } = useStore(app, (state) => state.window);
  return (
    <>
      {pinsMs.map((timeMs, index) =>
        timeMs < startMs || timeMs > endMs ? null : (
          <div
            key={timeMs}
            class="cursor pinned"
            style={{ left: `${((timeMs - startMs) / (endMs - startMs)) * 100}%` }}
          >
            <span class="flag">{index + 1}</span>
          </div>
        ),
      )}
    </>
  );
}
