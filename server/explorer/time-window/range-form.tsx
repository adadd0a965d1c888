// The fields for the start and the end of the window, and the calendar for them.

import { useState } from 'preact/hooks';
import { serverNowMs } from '../api/http.ts';
import { Icon } from '../controls/icons.tsx';
import { formatTime } from '../model/time/axis-labels.ts';
import { resolveBound, type TimeRange } from '../model/time/time-range.ts';
import { zoneText } from '../model/time/time-zone.ts';
import { formatRange, readRange } from '../model/time/typed-range.ts';
import { understood } from '../model/time/understood.ts';
import { notify, openDialog, showRange } from '../state/actions.ts';

const SPAN_WITHOUT_MS = 60_000;

export function RangeForm({ range }: { readonly range: TimeRange }) {
  const [typed, setTyped] = useState(formatRange(range));
  const submit = (event: Event): void => {
    event.preventDefault();
    const read = readRange(typed, range, serverNowMs());
    if ('fault' in read) return notify(read.fault, 'fault');
    setTyped(formatRange(read));
    if (read !== range) showRange(read);
  };
  const meant = (['from', 'to'] as const).flatMap((side) => {
    const meaning = understood(typed[side], side, serverNowMs());
    return meaning === undefined ? [] : [`${side === 'from' ? 'From' : 'To'} ${meaning}`];
  });
  return (
    <form class="range" onSubmit={submit}>
      <BoundInput
        label="From"
        text={typed.from}
        title={meaning(range, 'from')}
        onText={(from) => setTyped({ ...typed, from })}
      />
      <span aria-hidden="true">→</span>
      <BoundInput label="To" text={typed.to} title={meaning(range, 'to')} onText={(to) => setTyped({ ...typed, to })} />
      <button type="submit" class="hidden">
        Show
      </button>
      <button
        type="button"
        class="button quiet icon-only"
        aria-label="Calendar"
        title="Choose the times in a calendar"
        onClick={() => openDialog({ kind: 'times' })}
      >
        <Icon name="calendar" />
      </button>
      <div class="understood" role="status">
        {meant.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </form>
  );
}

/** The time that a bound is now. */
function meaning(range: TimeRange, side: keyof TimeRange): string {
  const timeMs = resolveBound(range[side], side, serverNowMs());
  return `${formatTime(timeMs, SPAN_WITHOUT_MS)} ${zoneText(timeMs)}. Times are typed as -8h, d-1d, yesterday 06:00 or a date.`;
}

interface InputProps {
  readonly label: string;
  readonly text: string;
  readonly title: string;
  readonly onText: (text: string) => void;
}

function BoundInput({ label, text, title, onText }: InputProps) {
  return (
    <input
      aria-label={label}
      title={title}
      style={widthFor(text)}
      value={text}
      spellcheck={false}
      autoComplete="off"
      onInput={(event) => onText(event.currentTarget.value)}
    />
  );
}

/** All of the text is seen; relative times leave room for the rest of the bar. */
function widthFor(text: string): { readonly '--characters': number } {
  return { '--characters': Math.min(24, Math.max(12, text.length)) };
}
