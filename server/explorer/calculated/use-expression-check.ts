// What the server says about an expression while it is typed: its value now, or what is wrong. One value is cheap to read.

import { useEffect, useState } from 'preact/hooks';
import { type Calculated, type ExpressionRequest, readExpression } from '../api/expressions.ts';
import { ApiError, serverNowMs } from '../api/http.ts';
import { intervalForServer, intervalStart } from '../model/time/interval-grid.ts';
import { zoneForServer } from '../model/time/time-zone.ts';
import { intervalOf } from '../model/trend/aggregate-choice.ts';
import { CALCULATED_OF, goesBack } from '../model/trend/calculated.ts';
import { toNumber } from '../model/trend/series.ts';
import { formatNumber } from '../model/values/number-format.ts';
import { app } from '../state/app-state.ts';

/** Pause in typing after which the server is asked. */
const PAUSE_MS = 250;

export interface ExpressionCheck {
  readonly text: string;
  /** `none` is no expression; `missing` may be one, of a tag or dataset that is not there or not for this token. */
  readonly kind: 'fine' | 'missing' | 'none';
  /** What it speaks of: something else may have been typed since. */
  readonly dataset: string;
  readonly expression: string;
}

/** Undefined until the server has said something. */
export function useExpressionCheck(dataset: string, expression: string): ExpressionCheck | undefined {
  const [check, setCheck] = useState<ExpressionCheck | undefined>(undefined);
  useEffect(() => {
    if (expression === '') {
      setCheck(undefined);
      return undefined;
    }
    const asking = new AbortController();
    const timer = setTimeout(() => {
      void askServer({ dataset, expression }, asking.signal).then((answer) => {
        if (!asking.signal.aborted) setCheck(answer);
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [dataset, expression]);
  return check;
}

/** Undefined when it says nothing of the expression. */
async function askServer(asked: Calculated, signal: AbortSignal): Promise<ExpressionCheck | undefined> {
  try {
    const isOfWindow = goesBack(asked.expression);
    const { v } = await readExpression(asked, { ...(isOfWindow ? ofWindow() : { endMs: serverNowMs() }), signal });
    const value = toNumber(v.at(-1) ?? null);
    const when = isOfWindow ? 'at the end of the window' : 'now';
    const text = Number.isNaN(value) ? `It has no value ${when}.` : `It is ${formatNumber(value, undefined)} ${when}.`;
    return { ...asked, kind: 'fine', text };
  } catch (error) {
    if (!(error instanceof ApiError)) return undefined;
    if (error.status === 400) return { ...asked, kind: 'none', text: error.message };
    if (error.status === 403 || error.status === 404) return { ...asked, kind: 'missing', text: error.message };
    return undefined;
  }
}

/** What goes by what was before needs a start: the intervals that will be drawn. */
function ofWindow(): ExpressionRequest {
  const { startMs, endMs } = app.get().window;
  const intervalMs = intervalOf(CALCULATED_OF, endMs - startMs);
  const aggregate = { fn: CALCULATED_OF.fn, interval: intervalForServer(intervalMs), tz: zoneForServer() };
  const fromMs = intervalStart(startMs, intervalMs);
  // A window that lies ahead has its first interval.
  return { startMs: fromMs, endMs: Math.max(fromMs + intervalMs, Math.min(endMs, serverNowMs())), aggregate };
}
