// Tiles of a dashboard that show no tag: a text, and a clock.

import { useEffect, useState } from 'preact/hooks';
import { serverNowMs } from '../api/http.ts';
import { formatTime } from '../model/time/axis-labels.ts';
import { zoneText } from '../model/time/time-zone.ts';
import { FittedText } from './fitted-text.tsx';

/** Seconds are told. */
const TOLD_SPAN_MS = 3_600_000;

export function TextTile({ text }: { readonly text: string }) {
  return (
    <section class="value-tile" aria-label="Text">
      <FittedText text={text} />
    </section>
  );
}

/** By the clock of the server, in the zone that is shown: both may be others than those of the screen. */
export function ClockTile() {
  const [nowMs, setNow] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNowMs()), 1000);
    return () => clearInterval(timer);
  }, []);
  const text = formatTime(nowMs, TOLD_SPAN_MS);
  return (
    <section class="value-tile" aria-label="Clock">
      <FittedText text={text.slice(11, 19)} />
      <p class="value-about">
        {text.slice(0, 10)} <span>{zoneText(nowMs)}</span>
      </p>
    </section>
  );
}
