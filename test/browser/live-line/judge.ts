// Whether the values of a look are those of the server.

import assert from 'node:assert/strict';
import { DATASET, shownText, TAGS, type TagName } from './slow-plant.ts';
import type { Look } from './watched-trend.ts';

/** A dash for a value and for its quality: nothing is known. A null has a quality. */
const UNKNOWN = '–|–';
const LOOK_BACK_MS = 600_000;
const SECOND_MS = 1000;

export interface Circumstances {
  /** All that is earlier was on the server well before the look. */
  readonly settledMs: number;
  /** Since when nothing can have come over the line; undefined while something can. */
  readonly cutSinceMs: number | undefined;
  /** A line goes on so far behind the last answer at most. */
  readonly aheadMs: number;
  /** How far a point may be moved by what a pixel can show. */
  readonly pixelMs: number;
}

/** `early`: a dash that will have to give way to a value. */
export type Verdict = 'right' | 'early' | { readonly wrong: string };

interface StoredPoint {
  readonly timeMs: number;
  readonly text: string;
}

interface ReadAnswer {
  readonly tl: readonly {
    readonly t: { readonly n: TagName };
    readonly d: readonly { readonly t: string; readonly v?: number | string | boolean; readonly q?: number }[];
  }[];
}

/** Reads the points about the time of a look from the server itself, and compares. */
export async function judge(url: string, look: Look, circumstances: Circumstances): Promise<Verdict> {
  const stored = await readStored(url, look.timeMs, circumstances.pixelMs);
  const verdicts = TAGS.map(({ n }) => judgeValue(n, look, stored.get(n) ?? [], circumstances));
  return (
    verdicts.find((verdict) => typeof verdict === 'object') ??
    verdicts.find((verdict) => verdict === 'early') ??
    'right'
  );
}

function judgeValue(name: TagName, look: Look, points: readonly StoredPoint[], circumstances: Circumstances): Verdict {
  const { settledMs, cutSinceMs, aheadMs, pixelMs } = circumstances;
  const cell = look.values.get(name);
  const shown = cell === undefined ? 'no row' : `${cell.value}|${cell.quality}`;
  const at = new Date(look.timeMs).toISOString();
  if (cutSinceMs !== undefined && look.timeMs > cutSinceMs + aheadMs) {
    if (shown === UNKNOWN) return 'right';
    return { wrong: `${name} at ${at} is '${shown}', but the line was cut at ${new Date(cutSinceMs).toISOString()}` };
  }
  const isSettled = look.timeMs + SECOND_MS <= settledMs;
  if (shown === UNKNOWN) return isSettled && !look.isDown ? 'early' : 'right';
  const fromMs = isSettled ? look.timeMs - pixelMs : Math.min(look.timeMs, settledMs) - pixelMs;
  const possible = inForce(points, fromMs, look.timeMs + SECOND_MS + pixelMs);
  if (possible.includes(shown)) return 'right';
  return { wrong: `${name} at ${at} is '${shown}', the server has ${possible.join(' or ')}` };
}

/** The one at the start, and all that begin later. */
function inForce(points: readonly StoredPoint[], fromMs: number, toMs: number): string[] {
  const first = points.findLast(({ timeMs }) => timeMs <= fromMs);
  const later = points.filter(({ timeMs }) => timeMs > fromMs && timeMs <= toMs);
  return [...(first === undefined ? [] : [first]), ...later].map(({ text }) => text);
}

async function readStored(url: string, timeMs: number, pixelMs: number): Promise<Map<TagName, StoredPoint[]>> {
  const body = {
    tagname: TAGS.map(({ n }) => n),
    start: new Date(timeMs - LOOK_BACK_MS - pixelMs).toISOString(),
    end: new Date(timeMs + SECOND_MS + pixelMs).toISOString(),
    boundary: 'carry',
    exact: 'string',
  };
  const answer = await fetch(`${url}/api/datasets/${DATASET}/read`, { method: 'POST', body: JSON.stringify(body) });
  assert.equal(answer.status, 200);
  const { tl } = (await answer.json()) as ReadAnswer;
  return new Map(
    tl.map(({ t: { n }, d }) => [
      n,
      d.map(({ t, v = null, q = 192 }) => ({ timeMs: Date.parse(t), text: `${shownText(n, v)}|${qualityShown(q)}` })),
    ]),
  );
}

function qualityShown(quality: number): string {
  return quality === 192 ? 'good' : `bad (${quality})`;
}
