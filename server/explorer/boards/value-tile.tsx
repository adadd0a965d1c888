// A single value of a dashboard: as large as its tile, with unit, quality, and the time of its point.

import { BeyondSign, beyondClass } from '../controls/beyond-sign.tsx';
import { MiddleText } from '../controls/middle-text.tsx';
import { isSystemName, type TagRef, tagKey } from '../model/tags/tag.ts';
import { formatTime } from '../model/time/axis-labels.ts';
import { formatAge } from '../model/time/duration-text.ts';
import type { TimeRange } from '../model/time/time-range.ts';
import { toNumber } from '../model/trend/series.ts';
import { limitBeyond, type TagLimit, tagLimits } from '../model/values/limits.ts';
import { formatValue, isGood, qualityText } from '../model/values/value-text.ts';
import type { BoardValues, TagValue } from './board-values.ts';
import { FittedText } from './fitted-text.tsx';
import { Sparkline } from './sparkline.tsx';

/** Seconds are told, and the day. */
const TOLD_SPAN_MS = 60_000;

interface ValueProps {
  readonly tagRef: TagRef;
  readonly values: BoardValues;
  readonly sparkline?: true | undefined;
  /** Time that the sparkline shows. */
  readonly range: TimeRange | undefined;
}

export function ValueTile({ tagRef, values, sparkline, range }: ValueProps) {
  const found = values.values.get(tagKey(tagRef));
  const fault = values.faults.get(tagRef.dataset);
  const name = isSystemName(tagRef.name) ? tagRef.name.slice(8) : tagRef.name;
  const value = found?.point === undefined ? Number.NaN : toNumber(found.point.value);
  const beyond = found === undefined ? undefined : limitBeyond(tagLimits(found.tag), value);
  return (
    <section
      class={`value-tile${fault === undefined ? '' : ' stale'}${beyondClass(beyond)}`}
      aria-label={`Value of ${name}`}
    >
      <h3 title={`${tagRef.dataset}: ${name}`}>
        <MiddleText text={name} />
      </h3>
      {found === undefined ? (
        <p class="muted">{values.isRead && fault === undefined ? `There is no such tag in ${tagRef.dataset}.` : '…'}</p>
      ) : (
        <Value found={found} beyond={beyond} nowMs={values.nowMs} />
      )}
      {sparkline === true ? <Sparkline tagRef={tagRef} range={range} /> : null}
      {fault === undefined ? null : <p class="tile-fault">{fault}</p>}
    </section>
  );
}

interface ShownProps {
  readonly found: TagValue;
  readonly beyond: TagLimit | undefined;
  readonly nowMs: number;
}

function Value({ found: { tag, point }, beyond, nowMs }: ShownProps) {
  if (point === undefined) return <p class="muted">Never written</p>;
  const text = formatValue(tag, point.value);
  return (
    <>
      <FittedText text={text} extraCharacters={beyond === undefined ? 0 : 2}>
        <BeyondSign beyond={beyond} />
      </FittedText>
      <p class="value-about">
        <span class={isGood(point.quality) ? '' : 'bad'}>{qualityText(point.quality)}</span>
        <time dateTime={new Date(point.timeMs).toISOString()}>
          {formatTime(point.timeMs, TOLD_SPAN_MS)}
          <small> {formatAge(Math.max(0, nowMs - point.timeMs))}</small>
        </time>
      </p>
    </>
  );
}
