// The time zone that is kept in this browser.

import { setZone, type ZoneName } from '../model/time/time-zone.ts';

const KEY = 'varve.zone';

export function applyKeptZone(): void {
  setZone(localStorage.getItem(KEY) ?? 'local');
}

/** Loads the page anew: every time in it is another text. The link brings the view back. */
export function changeZone(zone: ZoneName): void {
  localStorage.setItem(KEY, zone);
  location.reload();
}
