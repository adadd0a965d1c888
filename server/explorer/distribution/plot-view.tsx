// The values of the window without their times, in place of the trend: a histogram of one line, or two lines against each other.
// The link has what is shown; it follows the window.

import { useEffect, useState } from 'preact/hooks';
import '../styles/distribution.css';
import { tileFault } from '../boards/tile-trend.ts';
import { Choice } from '../controls/choice.tsx';
import { type TagRef, tagKey, tagsOnly } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import type { PlotChoice } from '../model/trend/plot-choice.ts';
import { stateTexts, valueKind } from '../model/values/value-kind.ts';
import { changeView } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { followCalmly } from '../trend/calm-reads.ts';
import { type Averages, readAverages, readStates, type StateColumn } from './averages.ts';
import { useNumericTags } from './distribution-button.tsx';
import { Histogram } from './histogram.tsx';
import { Scatter } from './scatter.tsx';

export function PlotView() {
  const numeric = useNumericTags();
  const states = useStateTags();
  const plot = useStore(app, ({ view }) => view.plot);
  const across = refOf(numeric, plot?.across) ?? numeric[0];
  const up = refOf(numeric, plot?.up);
  const colour = up === undefined ? undefined : refOf(states, plot?.colour);
  const found = useFound(across, up, colour);
  const change = (patch: Partial<PlotChoice>): void =>
    changeView({
      plot: { across: keyOf(across), up: optionalKey(up), colour: optionalKey(colour), ...patch },
    });
  const options = numeric.map((ref) => [tagKey(ref), ref.name] as const);
  return (
    <section class="distribution" aria-label="Distribution">
      <div class="field-row">
        <Choice label="Tag" value={keyOf(across)} options={options} onValue={(key) => change({ across: key })} />
        <Choice
          label="Against"
          value={keyOf(up)}
          options={[['', 'time: a histogram'], ...options]}
          onValue={(key) => change({ up: key === '' ? undefined : key })}
        />
        {up === undefined ? null : (
          <Choice
            label="Colour"
            value={keyOf(colour)}
            options={[['', 'time: the later, the darker'], ...states.map((ref) => [tagKey(ref), ref.name] as const)]}
            onValue={(key) => change({ colour: key === '' ? undefined : key })}
          />
        )}
        <button type="button" class="button" onClick={() => changeView({ plot: undefined })}>
          Back to the trend
        </button>
      </div>
      {typeof found === 'string' ? <p class="muted">{found}</p> : <Views found={found} />}
    </section>
  );
}

interface Found {
  readonly across: Averages;
  readonly up: Averages | undefined;
  readonly colour: StateColumn | undefined;
}

function Views({ found: { across, up, colour } }: { readonly found: Found }) {
  const left = across.values.filter((value, i) => Number.isNaN(value) || Number.isNaN(up?.values[i] ?? 0)).length;
  const count = across.values.length;
  return (
    <>
      {up === undefined ? <Histogram {...across} /> : <Scatter across={across} up={up} colour={colour} />}
      <p class="muted">
        {`${count.toLocaleString('en')} averages of ${across.intervalMs / 1000} s`}
        {leftOut(left)}
      </p>
    </>
  );
}

function leftOut(count: number): string {
  if (count === 0) return '.';
  if (count === 1) return '; 1 is left out, because it is not good.';
  return `; ${count.toLocaleString('en')} are left out, because they are not good.`;
}

function keyOf(ref: TagRef | undefined): string {
  return ref === undefined ? '' : tagKey(ref);
}

function optionalKey(ref: TagRef | undefined): string | undefined {
  return ref === undefined ? undefined : tagKey(ref);
}

function refOf(refs: readonly TagRef[], key: string | undefined): TagRef | undefined {
  return refs.find((ref) => tagKey(ref) === key);
}

/** Tags of the trend whose numbers have texts. */
function useStateTags(): readonly TagRef[] {
  const tags = useStore(app, ({ view }) => view.tags);
  const series = useStore(app, (state) => state.series);
  return tagsOnly(tags).filter((ref) => {
    const tag = series.get(tagKey(ref))?.tag;
    return tag !== undefined && valueKind(tag) === 'state' && stateTexts(tag) !== undefined;
  });
}

/** What was read of the window, or why there is nothing. */
function useFound(across: TagRef | undefined, up: TagRef | undefined, colour: TagRef | undefined): Found | string {
  const [found, setFound] = useState<Found | string>('Reading…');
  const key = [across, up, colour].map(keyOf).join('\n\n');
  useEffect(() => {
    setFound(across === undefined ? 'The trend has no tag of numbers.' : 'Reading…');
    if (across === undefined) return undefined;
    return followCalmly(async (window, signal) => {
      const next = await readFound({ across, up, colour }, window, signal).catch(tileFault);
      if (!signal.aborted) setFound(next);
    });
  }, [key]);
  return found;
}

interface WantedLines {
  readonly across: TagRef;
  readonly up: TagRef | undefined;
  readonly colour: TagRef | undefined;
}

async function readFound(wanted: WantedLines, window: TimeWindow, signal: AbortSignal): Promise<Found | string> {
  const [across, up, colour] = await Promise.all([
    readAverages(wanted.across, window, signal),
    wanted.up === undefined ? undefined : readAverages(wanted.up, window, signal),
    wanted.colour === undefined ? undefined : readStates(wanted.colour, window, signal),
  ]);
  const isGone = across === undefined || (wanted.up !== undefined && up === undefined);
  return isGone ? 'The tag is gone.' : { across, up, colour };
}
