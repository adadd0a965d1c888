// Choosing the time zone of all times on the page.

import { useState } from 'preact/hooks';
import { Modal } from '../controls/modal.tsx';
import { currentZone } from '../model/time/time-zone.ts';
import { openDialog } from '../state/actions.ts';
import { changeZone } from './zone.ts';

export function ZoneDialog() {
  const [zone, setZone] = useState(currentZone());
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const others = Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC');
  const save = (event: Event): void => {
    event.preventDefault();
    if (zone === currentZone()) openDialog(undefined);
    else changeZone(zone);
  };
  return (
    <Modal title="Time zone" onClose={() => openDialog(undefined)}>
      <form class="form" onSubmit={save}>
        <label class="field">
          <span>Times are shown and typed in</span>
          <select value={zone} onChange={(event) => setZone(event.currentTarget.value)}>
            <option value="local">this computer's zone ({own})</option>
            <option value="UTC">UTC</option>
            {others.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <small>Kept in this browser. Links and files hold times in UTC.</small>
        </label>
        <div class="dialog-foot">
          <button type="submit" class="button primary">
            Apply
          </button>
        </div>
      </form>
    </Modal>
  );
}
