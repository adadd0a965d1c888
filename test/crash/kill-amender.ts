// One client of the campaigns of kills and copies: late points, corrections and undoings, removals of points, tags that are
// deleted and made again, rules and types that change, in a dataset of its own. It knows every state that this may be in.

import { AMENDED_TAGS, AmendedDraws, type DrawnPoint } from '../model/amended-draws.ts';
import { AmendedReference, asShown, type ModelPoint } from '../model/amended-reference.ts';
import { PossibleStates } from '../model/possible-states.ts';
import { StepLog } from '../model/stepwise.ts';
import type { HttpAnswer, HttpClient } from '../support/http-client.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import type { KilledClient } from './kill-writer.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2025, 0, 1);
const NOW_MS = Number.POSITIVE_INFINITY;
const EVERYTHING = 'start=2000-01-01&end=2100-01-01';
/** Types whose values are as many as the points. */
const TYPES = ['System.Double', 'System.Int32', 'System.Int64', 'System.String', 'System.Decimal'];
const MOST_CORRECTIONS = 1000;
/** Answers of a full disk. */
const FULL = new Set([503, 507]);

/** A change that is asked for, and what it does to a state. Without an answer all that may have been done was done. */
interface Change {
  readonly says: string;
  readonly send: (client: HttpClient) => Promise<HttpAnswer>;
  readonly apply: (state: AmendedReference, answer: HttpAnswer | undefined) => string | undefined;
  /** What may be left of one that was not carried out; undefined where nothing is. */
  readonly leaves?: (state: AmendedReference) => string | undefined;
  /** Correction whose id is found again when its answer was lost: by its tag, kind and start, which no other one has. */
  readonly correction?: string;
}

interface Entry {
  readonly d: readonly { readonly t: string; readonly v: number | string; readonly q: number }[];
  readonly gaps?: unknown;
}

export interface AmenderOptions {
  readonly dataset: string;
  readonly random: SeededRandom;
  /** `perhaps`: changes may be refused for want of room. */
  readonly full?: 'never' | 'perhaps';
}

export class KillAmender implements KilledClient {
  readonly dataset: string;
  acknowledgedCount = 0;
  refusedCount = 0;
  readonly #random: SeededRandom;
  readonly #draws: AmendedDraws;
  readonly #log = new StepLog();
  readonly #full: 'never' | 'perhaps';
  #states: PossibleStates;
  /** Sent, not answered: done whole or not at all. */
  #open: Change | undefined;
  #ids = new Set<number>();
  #nowMs = START_MS;
  #isCreated = false;

  constructor({ dataset, random, full = 'never' }: AmenderOptions) {
    this.dataset = dataset;
    this.#random = random;
    this.#draws = new AmendedDraws(random.fork(), START_MS);
    this.#full = full;
    this.#states = new PossibleStates([new AmendedReference()], full === 'perhaps' ? 'later' : 'at-once');
    this.#states.advance((state) => state.setRules(0, true) as undefined);
  }

  get states(): PossibleStates {
    return this.#states;
  }

  /** A client of a copy of the dataset that holds one of these states. It draws something else from here on. */
  fork(states = this.#states): KillAmender {
    const copy = new KillAmender({ dataset: this.dataset, random: this.#random.fork() });
    copy.#states = states.fork();
    copy.#ids = new Set(this.#ids);
    copy.#nowMs = this.#nowMs;
    copy.#isCreated = this.#isCreated;
    copy.#open = this.#open;
    copy.#draws.continue(this.#draws);
    return copy;
  }

  /** Like `KillWriter.run`. */
  async run(client: HttpClient, isOff: () => boolean = () => false): Promise<void> {
    while (await this.step(client, isOff));
  }

  /** One request and its answer; false when the connection broke. Throws when the answer is wrong. */
  async step(client: HttpClient, isOff: () => boolean = () => false): Promise<boolean> {
    try {
      if (!this.#isCreated) return await this.#create(client);
      const change = this.#drawUntilOne();
      this.#open = change;
      this.#log.push(change.says);
      const answer = await change.send(client).catch(() => undefined);
      if (answer === undefined || isOff()) return false;
      this.#open = undefined;
      if (this.#isRefused(answer)) {
        this.#log.push('refused');
        if (change.leaves) this.#states.advancePerhaps(change.leaves);
        return await this.#lookAtAll(client, isOff);
      }
      this.#take(change, answer);
      if (!this.#random.chance(0.4)) return true;
      return await this.#look(client, this.#random.pick(AMENDED_TAGS), isOff);
    } catch (error) {
      throw this.#log.explain(error);
    }
  }

  /** Reads everything back and compares. What was open is then known to be there or not. */
  async check(client: HttpClient): Promise<void> {
    if (!this.#isCreated) return;
    this.#log.push('check');
    try {
      await this.#resolveOpen(client);
      await this.#checkRules(client);
      await this.#checkTags(client);
      if (!(await this.#lookAtAll(client))) throw new Error('a tag could not be read: the connection broke');
    } catch (error) {
      throw new Error(`${this.dataset}: ${this.#log.explain(error).message}`, { cause: error });
    }
  }

  /** Answered the same when it is there already. False when the connection broke. */
  async #create(client: HttpClient): Promise<boolean> {
    const definition = { n: this.dataset, pa: 0, ps: 0, late: 'accept' };
    const answer = await client.post('/api/datasets', definition).catch(() => undefined);
    if (answer === undefined) return false;
    if (this.#isRefused(answer)) return true;
    if (answer.status > 201) throw new Error(`the dataset was answered with ${answer.status}: ${answer.text}`);
    this.#isCreated = true;
    this.acknowledgedCount++;
    return true;
  }

  #isRefused({ status }: HttpAnswer): boolean {
    const isRefused = this.#full === 'perhaps' && FULL.has(status);
    if (isRefused) this.refusedCount++;
    return isRefused;
  }

  #take(change: Change, answer: HttpAnswer): void {
    const { status, text } = answer;
    if (status >= 500) throw new Error(`status ${status}: ${text}`);
    this.#states.advance((state) => change.apply(state, answer));
    this.acknowledgedCount++;
    if (change.correction !== undefined && status === 201) this.#ids.add(answer.json<{ id: number }>().id);
  }

  async #resolveOpen(client: HttpClient): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    if (open.correction !== undefined) {
      const id = await this.#findId(client, open.correction);
      const answer = { status: 201, json: () => ({ id }) } as unknown as HttpAnswer;
      if (id !== undefined) {
        this.#states.advance((state) => open.apply(state, answer));
        this.#ids.add(id);
        return;
      }
    }
    const leaves = open.leaves === undefined ? [] : [open.leaves];
    this.#states.advancePerhaps((state) => open.apply(state, undefined), ...leaves);
  }

  /** Undefined where the correction is not in the list: it was not made, or purge has taken all of its range. */
  async #findId(client: HttpClient, correction: string): Promise<number | undefined> {
    const answer = await client.get(`${this.#path}/corrections?limit=${MOST_CORRECTIONS}`);
    if (answer.status !== 200) throw new Error(`corrections: status ${answer.status}: ${answer.text}`);
    const listed = answer.json<{ id: number; tag: string; kind: string; start: string }[]>();
    return listed.find(({ id, tag, kind, start }) => correction === `${tag} ${kind} ${start}` && !this.#ids.has(id))
      ?.id;
  }

  async #checkRules(client: HttpClient): Promise<void> {
    const answer = await client.get(this.#path);
    if (answer.status !== 200) throw new Error(`dataset: status ${answer.status}: ${answer.text}`);
    const { pa, late } = answer.json<{ pa: number; late: string }>();
    this.#states.observe(({ rules }) => {
      const want = `${rules.ageDays} d, late: ${rules.takesLate ? 'accept' : 'ignore'}`;
      const got = `${pa} d, late: ${late}`;
      return got === want ? undefined : `rules: got ${got}; want ${want}`;
    });
  }

  async #checkTags(client: HttpClient): Promise<void> {
    const answer = await client.get(`${this.#path}/tags`);
    const { User } = answer.json<{ User: { n: string; t: string }[] }>();
    const got = User.map(({ n, t }) => `${n} ${t}`).join();
    this.#states.observe((state) => {
      const want = [...state.tags].map(([name, { type }]) => `${name} ${type}`).sort();
      return got === want.join() ? undefined : `tags: got ${got}; want ${want.join()}`;
    });
  }

  async #lookAtAll(client: HttpClient, isOff?: () => boolean): Promise<boolean> {
    for (const tag of AMENDED_TAGS) if (!(await this.#look(client, tag, isOff))) return false;
    return true;
  }

  /** Compares what reads give of a tag; false when the connection broke. */
  async #look(client: HttpClient, tag: string, isOff: () => boolean = () => false): Promise<boolean> {
    const atMs = this.#nowMs - this.#random.below(40 * 24 * HOUR_MS);
    const at = new Date(atMs).toISOString();
    const reads: readonly [query: string, choose: (points: readonly ModelPoint[]) => readonly ModelPoint[]][] = [
      [EVERYTHING, (points) => points],
      ['', (points) => points.slice(-1)],
      [`end=${at}`, (points) => points.filter(({ ms }) => ms <= atMs).slice(-1)],
    ];
    for (const [query, choose] of reads) {
      const path = `${this.#path}/data?tagname=${tag}&missing=skip&${query}`;
      const answer = await client.get(path).catch(() => undefined);
      if (answer === undefined || isOff()) return false;
      if (answer.status !== 200) throw new Error(`reading ${tag}: status ${answer.status}: ${answer.text}`);
      const [entry] = answer.json<{ tl: Entry[] }>().tl;
      if (entry?.gaps !== undefined) throw new Error(`${tag} has gaps: ${JSON.stringify(entry.gaps)}`);
      const got = (entry?.d ?? []).map(({ t, v }) => ({ ms: Date.parse(t), value: v }));
      this.#states.observe((state) => differenceOf(`${tag}, ${query}`, got, choose(asShown(state.readable(tag), got))));
    }
    return true;
  }

  get #path(): string {
    return `/api/datasets/${encodeURIComponent(this.dataset)}`;
  }

  #drawUntilOne(): Change {
    for (;;) {
      const change = this.#draw();
      if (change !== undefined) return change;
    }
  }

  /** Undefined where there is nothing to do it to. */
  #draw(): Change | undefined {
    const tag = this.#random.pick(AMENDED_TAGS);
    const choice = this.#random.unit();
    if (choice < 0.06) this.#nowMs += this.#random.between(1, 70) * HOUR_MS;
    if (choice < 0.27) return this.#write(tag, 'new');
    if (choice < 0.48) return this.#write(tag, 'late');
    if (choice < 0.64) return this.#correct(tag);
    if (choice < 0.69) return this.#undo(tag);
    if (choice < 0.8) return this.#setRules();
    if (choice < 0.88) return this.#removePoints(tag);
    if (choice < 0.9) return this.#deleteTag(tag);
    return this.#define(tag);
  }

  #write(tag: string, kind: 'new' | 'late'): Change {
    const points = this.#typed(tag, this.#draws.run(this.#states.first, tag, kind, this.#nowMs));
    return {
      says: `write ${points.length} ${kind} to ${tag}`,
      send: (client) =>
        client.post(`${this.#path}/data`, { [tag]: toTvqs(points) }, { prefer: 'return=representation' }),
      apply: (state, answer) => {
        const { written, expired, ignored } = state.write(tag, points, NOW_MS);
        const want = `200: written ${written}, expired ${expired}, ignored ${ignored}, repeated 0`;
        return answer && difference('the receipt', describeReceipt(answer), want);
      },
    };
  }

  /** Values of the type that the tag has, or gets. */
  #typed(tag: string, points: readonly DrawnPoint[]): ModelPoint[] {
    const type = this.#states.first.typeOf(tag) ?? 'System.Double';
    return points.map(({ ms, value }) => ({ ms, value: valueFor(type, value) }));
  }

  #correct(tag: string): Change | undefined {
    if (this.#states.first.typeOf(tag) === undefined) return undefined;
    const drawn = this.#draws.correction(this.#states.first, tag);
    const { kind, startMs, endMs } = drawn;
    const points = this.#typed(tag, drawn.points);
    const range = `start=${new Date(startMs).toISOString()}&end=${new Date(endMs).toISOString()}`;
    const path = `${this.#path}/corrections?tagname=${tag}&kind=${kind}&reason=drawn&${range}`;
    return {
      says: `${kind} ${points.length} in ${tag}`,
      correction: `${tag} ${kind} ${new Date(startMs).toISOString()}`,
      send: (client) => (kind === 'delete' ? client.send('POST', path, {}) : client.post(path, toTvqs(points))),
      apply: (state, answer) => {
        const correction = { kind, startMs, endMs, points };
        const judgement = state.judge(tag, correction);
        const isTaken = answer === undefined ? judgement !== 'refused' : answer.status === 201;
        if (isTaken) state.correct(tag, { ...correction, id: answer?.json<{ id: number }>().id ?? -1 });
        if (answer === undefined) return isTaken ? undefined : 'it was refused';
        if (!isTaken && answer.status !== 400) return `correction: status ${answer.status}: ${answer.text}`;
        const got = isTaken ? 'taken' : 'refused';
        if (judgement === 'either' || judgement === got) return undefined;
        return `${kind} from ${new Date(startMs).toISOString()}: got ${got}; want ${judgement}: ${answer.text}`;
      },
    };
  }

  #undo(tag: string): Change | undefined {
    const states = this.#states.all();
    const ids = states.map((state) => new Set(state.undoable(tag)));
    const sure = [...(ids[0] ?? [])].filter((id) => id >= 0 && ids.every((one) => one.has(id)));
    if (sure.length === 0) return undefined;
    const id = this.#random.pick(sure);
    return {
      says: `undo ${id} of ${tag}`,
      send: (client) => client.send('POST', `${this.#path}/corrections/${id}/undo`, {}),
      apply: (state, answer) => {
        state.undo(tag, id);
        return expectStatus(answer, 200);
      },
    };
  }

  #setRules(): Change {
    const { ageDays, takesLate } = this.#draws.rules();
    const late = takesLate ? 'accept' : 'ignore';
    return {
      says: `rules ${ageDays} d, late ${late}`,
      send: (client) => client.post(this.#path, { n: this.dataset, pa: ageDays, ps: 0, late }),
      apply: (state, answer) => {
        state.setRules(ageDays, takesLate);
        return expectStatus(answer, 200);
      },
      leaves: (state) => (state.tryRules(ageDays) ? undefined : 'nothing is lifted'),
    };
  }

  #removePoints(tag: string): Change | undefined {
    const removal = this.#draws.removal(this.#states.first, tag);
    if (removal === undefined) return undefined;
    const { ms, says } = removal;
    const path = `${this.#path}/data?tagname=${tag}&start=${new Date(ms).toISOString()}`;
    return {
      says: `remove from ${tag} at ${says}`,
      send: (client) => client.delete(path, undefined, { prefer: 'return=representation' }),
      apply: (state, answer) => {
        const want = state.remove(tag, ms);
        if (answer === undefined || want === undefined) return expectStatus(answer, 200);
        return (
          expectStatus(answer, 200) ?? difference('removed', `${answer.json<{ removed: number }>().removed}`, `${want}`)
        );
      },
    };
  }

  #deleteTag(tag: string): Change | undefined {
    if (this.#states.first.typeOf(tag) === undefined) return undefined;
    return {
      says: `delete ${tag}`,
      send: (client) => client.delete(`${this.#path}/tags`, [tag]),
      apply: (state, answer) => {
        state.deleteTag(tag);
        return answer === undefined || answer.status < 300 ? undefined : expectStatus(answer, 200);
      },
    };
  }

  /** A tag that is new, or gets another type. */
  #define(tag: string): Change {
    const type = this.#random.pick(TYPES);
    return {
      says: `type of ${tag} ${type}`,
      send: (client) => client.post(`${this.#path}/tags`, [{ n: tag, t: type }]),
      apply: (state, answer) => {
        state.define(tag, type);
        return answer === undefined || answer.status < 300 ? undefined : expectStatus(answer, 200);
      },
    };
  }
}

/** Unlike all others of the tag, whatever their types. */
function valueFor(type: string, serial: number): number | string {
  if (type === 'System.String') return `text ${serial}`;
  if (type === 'System.Double') return serial + 0.5;
  return type === 'System.Decimal' ? serial + 0.25 : serial;
}

function toTvqs(points: readonly ModelPoint[]): object[] {
  return points.map(({ ms, value }) => ({ t: new Date(ms).toISOString(), v: value }));
}

function describeReceipt(answer: HttpAnswer): string {
  if (answer.status !== 200) return `${answer.status}: ${answer.text}`;
  const { written, expired, ignored, repeated } = answer.json<Record<string, number>>();
  return `200: written ${written}, expired ${expired}, ignored ${ignored}, repeated ${repeated}`;
}

function expectStatus(answer: HttpAnswer | undefined, status: number): string | undefined {
  return answer === undefined || answer.status === status ? undefined : `status ${answer.status}: ${answer.text}`;
}

function difference(what: string, got: string, want: string): string | undefined {
  return got === want ? undefined : `${what}: got ${got}; want ${want}`;
}

function differenceOf(read: string, got: readonly ModelPoint[], want: readonly ModelPoint[]): string | undefined {
  const format = (point: ModelPoint | undefined): string =>
    point === undefined ? 'nothing' : `${new Date(point.ms).toISOString()} ${point.value}`;
  const at = want.findIndex((point, i) => format(point) !== format(got[i]));
  if (at === -1 && got.length === want.length) return undefined;
  const place = at === -1 ? want.length : at;
  return `${read}: got ${got.length} points, want ${want.length}; at ${place} got ${format(got[place])}, want ${format(want[place])}`;
}
