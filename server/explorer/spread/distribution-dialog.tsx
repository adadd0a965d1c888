// The values of the window without their times: a histogram of one tag, or two tags against each other.

import { useEffect, useState } from 'preact/hooks';
import { Choice } from '../components/controls/choice.tsx';
import { Modal } from '../components/controls/modal.tsx';
import { type TagRef, tagKey } from '../model/tags/tag.ts';
import { openDialog } from '../state/app/actions.ts';
import { app } from '../state/app/app-state.ts';
import { tileFault } from '../state/trend/tile-trend.ts';
import { type Averages, readAverages } from './averages.ts';
import { useNumericTags } from './distribution-button.tsx';
import { Histogram } from './histogram.tsx';
import { Scatter } from './scatter.tsx';

export function DistributionDialog() {
  const [tags] = useState(useNumericTags());
  const [window] = useState(app.get().window);
  const [across, setAcross] = useState(tags[0] === undefined ? '' : tagKey(tags[0]));
  const [up, setUp] = useState('');
  const found = useAverages(tags, [across, up], window);
  const options = tags.map((ref) => [tagKey(ref), ref.name] as const);
  return (
    <Modal title="Distribution" onClose={() => openDialog(undefined)}>
      <div class="distribution">
        <div class="field-row">
          <Choice label="Tag" value={across} options={options} onValue={setAcross} />
          <Choice label="Against" value={up} options={[['', 'time: a histogram'], ...options]} onValue={setUp} />
        </div>
        {typeof found === 'string' ? <p class="muted">{found}</p> : <Views averages={found} />}
      </div>
    </Modal>
  );
}

function Views({ averages }: { readonly averages: readonly Averages[] }) {
  const [across, up] = averages;
  if (across === undefined) return null;
  const left = across.values.filter((value, i) => Number.isNaN(value) || Number.isNaN(up?.values[i] ?? 0)).length;
  const count = across.values.length;
  return (
    <>
      {up === undefined ? <Histogram {...across} /> : <Scatter across={across} up={up} />}
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

/** Averages of the chosen tags, or why there are none. */
function useAverages(
  tags: readonly TagRef[],
  keys: readonly string[],
  window: { readonly startMs: number; readonly endMs: number },
): readonly Averages[] | string {
  const [found, setFound] = useState<readonly Averages[] | string>('Reading…');
  useEffect(() => {
    const closing = new AbortController();
    const { signal } = closing;
    const refs = keys.flatMap((key) => tags.find((ref) => tagKey(ref) === key) ?? []);
    setFound('Reading…');
    Promise.all(refs.map((ref) => readAverages(ref, window, signal))).then(
      (all) => setFound(all.every((one) => one !== undefined) ? all : 'The tag is gone.'),
      (error: unknown) => {
        if (!signal.aborted) setFound(tileFault(error));
      },
    );
    return () => closing.abort();
  }, keys);
  return found;
}
