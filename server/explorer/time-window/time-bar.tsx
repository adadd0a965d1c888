// The window in time: presets, bounds, moving, live, and the period compared with.

import { AnnotationsButton } from '../annotations/annotations-button.tsx';
import { CalculatedButton } from '../calculated/calculated-buttons.tsx';
import { Icon } from '../controls/icons.tsx';
import { CursorsButton } from '../cursors/cursors-button.tsx';
import { DistributionButton } from '../distribution/distribution-button.tsx';
import { isLive, PRESETS, type TimeRange } from '../model/time/time-range.ts';
import { zoneText } from '../model/time/time-zone.ts';
import { goBack, openDialog, pan, showRange, toggleLive, zoom } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { CompareMenu } from '../trend/compare-menu.tsx';
import { RangeForm } from './range-form.tsx';
import { ShiftMenu } from './shift-menu.tsx';

export function TimeBar() {
  const range = useStore(app, ({ view }) => view.range);
  const isOn = useStore(app, ({ view, nowMs }) => isLive(view.range, nowMs));
  return (
    <div class="time-bar" role="group" aria-label="Time">
      <Presets range={range} />
      <RangeForm key={`${range.from} ${range.to}`} range={range} />
      <ShiftMenu />
      <MoveButtons />
      <CompareMenu />
      <CalculatedButton />
      <AnnotationsButton />
      <DistributionButton />
      <CursorsButton />
      <ZoneButton />
      <LiveButton isOn={isOn} />
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
