// The window in time: presets, bounds, moving, live, and the period compared with.

import { useState } from 'preact/hooks';
import { AnnotationsButton } from '../../annotations/annotation-list.tsx';
import { CalculatedButton } from '../../calculated/calculated-buttons.tsx';
import { formatBound, isLive, PRESETS, parseBound, type TimeRange } from '../../model/time/time-range.ts';
import { zoneText } from '../../model/time/time-zone.ts';
import { DistributionButton } from '../../spread/distribution-dialog.tsx';
import { changeView, goBack, notify, openDialog, pan, showRange, toggleLive, zoom } from '../../state/app/actions.ts';
import { app } from '../../state/app/app-state.ts';
import { useStore } from '../../state/app/store.ts';
import { Icon } from '../controls/icons.tsx';
import { Menu } from '../controls/menu.tsx';

const COMPARISONS: readonly { readonly label: string; readonly compare: string | undefined }[] = [
  { label: 'Nothing', compare: undefined },
  { label: 'The period before', compare: 'previous' },
  { label: 'One hour earlier', compare: '1h' },
  { label: 'One shift (8 h) earlier', compare: '8h' },
  { label: 'One day earlier', compare: '1d' },
  { label: 'One week earlier', compare: '1w' },
];

export function TimeBar() {
  const range = useStore(app, ({ view }) => view.range);
  return (
    <div class="time-bar" role="group" aria-label="Time">
      <Presets range={range} />
      <RangeFields key={`${range.from} ${range.to}`} range={range} />
      <MoveButtons />
      <CompareMenu />
      <CalculatedButton />
      <AnnotationsButton />
      <DistributionButton />
      <ZoneButton />
      <LiveButton isOn={isLive(range)} />
    </div>
  );
}

function LiveButton({ isOn }: { readonly isOn: boolean }) {
  const isDown = useStore(app, ({ fault }) => fault !== undefined);
  return (
    <button
      type="button"
      class={isDown ? 'button live down' : 'button live'}
      aria-pressed={isOn}
      aria-label={isDown ? 'Live: the server does not answer' : 'Live'}
      title={isDown ? 'The server does not answer' : 'Follow the clock (L)'}
      onClick={toggleLive}
    >
      <i class="pulse" />
      Live
    </button>
  );
}

function Presets({ range }: { readonly range: TimeRange }) {
  return (
    <div class="segments" role="group" aria-label="Length of the window">
      {PRESETS.map(({ label, from, name }) => (
        <button
          key={label}
          type="button"
          title={`The last ${name}`}
          aria-pressed={range.from === from && range.to === 'now'}
          onClick={() => showRange({ from, to: 'now' })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function RangeFields({ range }: { readonly range: TimeRange }) {
  const [from, setFrom] = useState(formatBound(range.from));
  const [to, setTo] = useState(formatBound(range.to));
  const submit = (event: Event): void => {
    event.preventDefault();
    // A bound that was not touched keeps its milliseconds.
    const start = from === formatBound(range.from) ? range.from : parseBound(from);
    const end = to === formatBound(range.to) ? range.to : parseBound(to);
    if (start === undefined || end === undefined) {
      notify('A time is -2h, now, 2024-03-01 08:00 or ISO 8601.', 'fault');
    } else if (typeof start === 'number' && typeof end === 'number' && start >= end) {
      notify('The start must lie before the end.', 'fault');
    } else showRange({ from: start, to: end });
  };
  return (
    <form class="range" onSubmit={submit} title={`Relative (-2h, now), or a time in ${zoneText(Date.now())}`}>
      <input
        aria-label="From"
        style={widthFor(from)}
        value={from}
        onInput={(event) => setFrom(event.currentTarget.value)}
      />
      <span aria-hidden="true">→</span>
      <input aria-label="To" style={widthFor(to)} value={to} onInput={(event) => setTo(event.currentTarget.value)} />
      <button type="submit" class="hidden">
        Show
      </button>
    </form>
  );
}

/** All of the text is seen; relative times leave room for the rest of the bar. */
function widthFor(text: string): { readonly '--characters': number } {
  return { '--characters': Math.min(24, Math.max(12, text.length)) };
}

function MoveButtons() {
  return (
    <div class="segments moves" role="group" aria-label="Move">
      <button type="button" aria-label="Earlier" title="Earlier (Shift+←)" onClick={() => pan(-0.5)}>
        <Icon name="left" />
      </button>
      <button type="button" aria-label="Later" title="Later (Shift+→)" onClick={() => pan(0.5)}>
        <Icon name="right" />
      </button>
      <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoom(0.5)}>
        <Icon name="zoomIn" />
      </button>
      <button type="button" aria-label="Zoom out" title="Zoom out (-)" onClick={() => zoom(2)}>
        <Icon name="zoomOut" />
      </button>
      <button type="button" aria-label="Back" title="Back to the view before (Backspace)" onClick={goBack}>
        <Icon name="back" />
      </button>
    </div>
  );
}

function ZoneButton() {
  const atMs = useStore(app, ({ window }) => window.endMs);
  const zone = zoneText(atMs);
  return (
    <button
      type="button"
      class="button quiet"
      aria-label={`Time zone: ${zone}`}
      title="Time zone"
      onClick={() => openDialog({ kind: 'zone' })}
    >
      {zone}
    </button>
  );
}

function CompareMenu() {
  const compare = useStore(app, ({ view }) => view.compare);
  const items = COMPARISONS.map(({ label, compare: choice }) => ({
    label,
    isChosen: choice === compare,
    act: () => changeView({ compare: choice }),
  }));
  return (
    <Menu
      label={<>Compare{compare === undefined ? '' : `: ${compare}`}</>}
      name="Compare with"
      items={items}
      isMarked={compare !== undefined}
    />
  );
}
