// When the steps of one cycle begin and what values they have.

import type { StepDefinition } from '../config/model.ts';
import { drawRange } from './numbers.ts';
import { drawFineUnit, openStream, type RandomStream, type StreamName } from './seeds.ts';

export interface CyclePlan {
  /** Starts of the steps in milliseconds since 1970, and after the last the end of the cycle. */
  readonly startsMs: Float64Array;
  readonly values: Float64Array;
}

const MS_PER_MINUTE = 60_000;

export function planCycle(
  steps: readonly StepDefinition[],
  name: StreamName,
  cycle: number,
  startMs: number,
): CyclePlan {
  const stream = openStream(name, cycle);
  const startsMs = new Float64Array(steps.length + 1);
  const values = new Float64Array(steps.length);
  let timeMs = startMs;
  for (const [index, step] of steps.entries()) {
    startsMs[index] = timeMs;
    values[index] = drawRange(step.value, stream);
    timeMs += drawDurationMs(step, stream);
  }
  startsMs[steps.length] = timeMs;
  return { startsMs, values };
}

/** Rounded to a millisecond, and at least that. */
function drawDurationMs(step: StepDefinition, stream: RandomStream): number {
  const { low, high, decimals } = step.durationMinutes;
  if (low === high) return Math.max(1, Math.round(low * MS_PER_MINUTE));
  const unit = drawFineUnit(stream);
  const minutes = decimals === 0 ? low + Math.floor(unit * (high - low + 1)) : low + unit * (high - low);
  return Math.max(1, Math.round(minutes * MS_PER_MINUTE));
}
