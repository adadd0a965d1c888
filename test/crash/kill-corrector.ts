// One client of the kill campaign that writes points of a tag, corrects them and undoes that, over HTTP, and knows what
// reads must see.

import { type HistoryPoint, newestStoredMs, playBack, type Step } from '../engine/corrections/plain-history.ts';
import type { HttpClient } from '../support/http-client.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { DATASET, type KilledClient } from './kill-writer.ts';

const TAG = 'Corrected';
const PATH = `/api/datasets/${DATASET}`;
const STEP_MS = 1000;
/** Reading back plays all of it back: behind so many steps points are written only. */
const MOST_STEPS = 400;

interface Listed {
  readonly id: number;
  readonly undone: object | null;
}

export class KillCorrector implements KilledClient {
  acknowledgedCount = 0;
  readonly #random: SeededRandom;
  readonly #startMs: number;
  /** Done for certain, in order. */
  #steps: Step[] = [];
  #ids: number[] = [];
  /** Sent, not answered: done whole or not at all. */
  #open: Step | undefined;
  #value = 0;

  constructor(random: SeededRandom, startMs: number) {
    this.#random = random;
    this.#startMs = startMs;
  }

  /** Like `KillWriter.run`. */
  async run(client: HttpClient): Promise<void> {
    for (;;) {
      this.#open = this.#draw();
      const done = await this.#send(client, this.#open).catch((error: unknown) => {
        if (error instanceof Refusal) throw error;
        return undefined;
      });
      if (done === undefined) return;
      if (done.kind !== 'append' && done.kind !== 'undo' && done.kind !== 'cut') this.#ids.push(done.id);
      this.#steps.push(done);
      this.#open = undefined;
      this.acknowledgedCount++;
    }
  }

  /** Reads everything back and compares; what was open is then known to be there or not. */
  async check(client: HttpClient): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    const known = open === undefined ? undefined : await this.#findOpen(client, open);
    if (known !== undefined) {
      this.#steps.push(known);
      if (known.kind !== 'append' && known.kind !== 'undo' && known.kind !== 'cut') this.#ids.push(known.id);
    }
    const shown = await this.#read(client);
    const wanted = playBack(this.#steps);
    if (JSON.stringify(shown) !== JSON.stringify(wanted)) {
      const at = wanted.findIndex((point, i) => JSON.stringify(point) !== JSON.stringify(shown[i]));
      throw new Error(
        `corrector: got ${shown.length} points, want ${wanted.length}; at ${at} got ${JSON.stringify(shown[at])}, want ${JSON.stringify(wanted[at])}; open was ${JSON.stringify(open)}`,
      );
    }
  }

  /** The open step if it was done: points tell of an append, the list of corrections of everything else. */
  async #findOpen(client: HttpClient, open: Step): Promise<Step | undefined> {
    if (open.kind === 'append') {
      const shown = await this.#read(client);
      const last = open.points.at(-1);
      return shown.some(({ value }) => value === last?.value) ? open : undefined;
    }
    const answer = await client.get(`${PATH}/corrections?limit=1000`);
    const listed = answer.json<Listed[]>();
    if (open.kind === 'undo') return listed.find(({ id }) => id === open.id)?.undone ? open : undefined;
    const fresh = listed.find(({ id }) => !this.#ids.includes(id));
    return fresh && open.kind !== 'cut' ? { ...open, id: fresh.id } : undefined;
  }

  async #read(client: HttpClient): Promise<HistoryPoint[]> {
    const answer = await client.get(`${PATH}/data?tagname=${TAG}&missing=skip&start=2000-01-01&end=9999-01-01`);
    if (answer.status === 404) return [];
    if (answer.status !== 200) throw new Error(`corrector: status ${answer.status}: ${answer.text}`);
    const { tl } = answer.json<{ tl: { d: { t: string; v: number; q: number }[]; gaps?: unknown }[] }>();
    if (tl[0]?.gaps !== undefined) throw new Error(`corrector: gaps: ${JSON.stringify(tl[0].gaps)}`);
    return (tl[0]?.d ?? []).map(({ t, v, q }) => ({ ms: Date.parse(t), value: v, quality: q }));
  }

  #draw(): Step {
    const random = this.#random;
    const newestMs = newestStoredMs(this.#steps);
    if (newestMs === undefined || this.#steps.length > MOST_STEPS || random.chance(0.3))
      return { kind: 'append', points: this.#drawPoints(random.between(1, 20), (newestMs ?? this.#startMs) + STEP_MS) };
    const undone = new Set(this.#steps.flatMap((step) => (step.kind === 'undo' ? [step.id] : [])));
    const inForce = this.#ids.filter((id) => !undone.has(id));
    if (inForce.length > 0 && random.chance(0.3)) return { kind: 'undo', id: random.pick(inForce) };
    const shown = playBack(this.#steps);
    const startMs = shown.length > 0 ? random.pick(shown).ms : newestMs;
    const endMs = Math.min(newestMs, startMs + random.between(0, 10) * STEP_MS);
    const kind = shown.length > 0 ? random.pick(['delete', 'replace', 'insert', 'insert'] as const) : 'insert';
    if (kind === 'delete') return { kind, id: 0, startMs, endMs };
    const points = this.#drawPoints(1 + Math.floor((endMs - startMs) / STEP_MS), startMs);
    return { kind, id: 0, startMs, endMs, points };
  }

  #drawPoints(count: number, fromMs: number): HistoryPoint[] {
    return Array.from({ length: count }, (_, i) => ({ ms: fromMs + i * STEP_MS, value: ++this.#value, quality: 192 }));
  }

  /** What was done; undefined when the connection broke. */
  async #send(client: HttpClient, step: Step): Promise<Step> {
    if (step.kind === 'append') {
      accept(await client.post(`${PATH}/data/${TAG}`, toTvqs(step.points)), 200);
      return step;
    }
    if (step.kind === 'undo') {
      accept(await client.send('POST', `${PATH}/corrections/${step.id}/undo`, {}), 200);
      return step;
    }
    if (step.kind === 'cut') throw new Error('BUG: a cut was drawn');
    const range = `start=${new Date(step.startMs).toISOString()}&end=${new Date(step.endMs).toISOString()}`;
    const path = `${PATH}/corrections?tagname=${TAG}&kind=${step.kind}&${range}`;
    const sending = step.kind === 'delete' ? client.send('POST', path, {}) : client.post(path, toTvqs(step.points));
    const { id } = accept(await sending, 201).json<{ id: number }>();
    return { ...step, id };
  }
}

class Refusal extends Error {}

function accept<T extends { readonly status: number; readonly text: string }>(answer: T, wanted: number): T {
  if (answer.status !== wanted) throw new Refusal(`corrector: status ${answer.status}: ${answer.text}`);
  return answer;
}

function toTvqs(points: readonly HistoryPoint[]): object[] {
  return points.map(({ ms, value, quality }) => ({ t: new Date(ms).toISOString(), v: value, q: quality }));
}
