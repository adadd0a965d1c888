// Varve itself, synced before each answer, started like in every other suite. A connection writes its own half of the tags, as two
// collectors do: points of a tag that overtake each other would go by its way for late ones.

import { Unpackr } from 'msgpackr';
import type { AnswerFormat } from '../../client/read-driver.ts';
import { readCommit } from '../../report/machine.ts';
import { measureFolder } from '../../support/folder-figures.ts';
import { ServerUnderTest } from '../../support/server-under-test.ts';
import { BODY_HEADERS, type BodyFormat, encodeBody } from '../../workloads/bodies.ts';
import { readRequest } from '../../workloads/read-request.ts';
import { DATASET } from '../../workloads/write-load.ts';
import type { W1Points } from '../bodies/w1-points.ts';
import { HttpPeer } from '../http-peer.ts';
import type { Peer, PeerPlace, ReadAnswer, ReadPoint, RunningPeer, StoredBytes, Tally, WriteForm } from '../peer.ts';

/** Points are read in the form in which they were written. */
interface ReadForm {
  readonly answer: AnswerFormat;
  readonly format: 'columns' | undefined;
}

const TVQS: ReadForm = { answer: 'json', format: undefined };

const FORMS: readonly (readonly [name: string, format: BodyFormat, read: ReadForm])[] = [
  ['JSON TVQs, synced', 'json', TVQS],
  ['JSON columns, synced', 'json-columns', { answer: 'json', format: 'columns' }],
  ['msgpack columns, synced', 'msgpack-columns', { answer: 'msgpack', format: 'columns' }],
];

const ACCEPTED: Readonly<Record<AnswerFormat, string>> = { json: 'application/json', msgpack: 'application/msgpack' };
const unpackr = new Unpackr({ useRecords: false, structuredClone: true });

export const varve: Peer = {
  name: 'varve',
  title: 'Varve',
  durability: 'its journal is synced before the answer',
  readVia: 'HTTP, in the form of the writes',
  version: () => `commit ${readCommit().commit}`,
  forms: FORMS.map<WriteForm>(([name, format]) => ({
    name,
    encode: (points) => encodeBody(format, points),
    post: { path: `/api/datasets/${DATASET}/data`, ...BODY_HEADERS[format] },
    sharing: 'own tags',
    isRead: true,
  })),
  start: startVarve,
};

async function startVarve({ folder, form, points }: PeerPlace): Promise<RunningPeer> {
  const read = FORMS.find(([name]) => name === form.name)?.[2] as ReadForm;
  return new RunningVarve(await startServer(folder), folder, read, points);
}

function startServer(folder: string): Promise<ServerUnderTest> {
  return ServerUnderTest.start(`${folder}/data`, { flags: ['--durability', 'group'] });
}

interface Tvq {
  readonly t: string;
  readonly v: number;
  readonly q: number;
}
interface Columns {
  readonly t: ArrayLike<number>;
  readonly v: ArrayLike<number>;
  readonly q: number | ArrayLike<number>;
}
interface Answer {
  readonly tl: readonly { readonly d: readonly Tvq[] | Columns }[];
}

class RunningVarve implements RunningPeer {
  readonly #folder: string;
  readonly #form: ReadForm;
  readonly #points: W1Points;
  #server: ServerUnderTest;
  #http: HttpPeer;

  constructor(server: ServerUnderTest, folder: string, form: ReadForm, points: W1Points) {
    this.#server = server;
    this.#http = new HttpPeer(server.url);
    this.#folder = folder;
    this.#form = form;
    this.#points = points;
  }

  get pid(): number {
    return this.#server.pid;
  }

  write: RunningPeer['write'] = (load, onAnswered) => this.#http.write(load, onAnswered);

  /** A restart: every journal is retired by the stop. */
  async settle(): Promise<StoredBytes> {
    this.#http.close();
    await this.#server.stop();
    const stored = measureFolder(`${this.#folder}/data/${DATASET}`, (path) => !path.startsWith('journal/'));
    this.#server = await startServer(this.#folder);
    this.#http = new HttpPeer(this.#server.url);
    return stored;
  }

  async read(tags: readonly number[], fromMs: number, toMs: number): Promise<ReadAnswer> {
    const tagname = tags.map((tag) => this.#points.names[tag]);
    const answer = await this.#answer({ tagname, start: iso(fromMs), end: iso(toMs - 1) });
    return { ...tallyOf(answer), list: () => answer.tl.flatMap(({ d }) => pointsOf(d)) };
  }

  async latest(): Promise<Tally> {
    return tallyOf(await this.#answer({ tagname: this.#points.names }));
  }

  async #answer(parameters: Record<string, unknown>): Promise<Answer> {
    const { answer, format } = this.#form;
    const body = await this.#http.fetch(readRequest(parameters, { accept: ACCEPTED[answer], format }));
    return (answer === 'json' ? JSON.parse(body.toString()) : unpackr.unpack(body)) as Answer;
  }

  async stop(): Promise<void> {
    this.#http.close();
    await this.#server.stop();
  }
}

function tallyOf({ tl }: Answer): Tally {
  let count = 0;
  let valueSum = 0;
  for (const { d } of tl) {
    if ('v' in d) {
      const values = d.v;
      for (let i = 0; i < values.length; i++) valueSum += values[i] as number;
      count += values.length;
    } else {
      for (const point of d) valueSum += point.v;
      count += d.length;
    }
  }
  return { count, valueSum };
}

function pointsOf(run: readonly Tvq[] | Columns): ReadPoint[] {
  if (!('v' in run)) return run.map(({ t, v, q }) => [Date.parse(t), v, q]);
  const { t, v, q } = run;
  return Array.from(t, (timeMs, i) => [timeMs, v[i] as number, typeof q === 'number' ? q : (q[i] as number)]);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
