// The plain Node yardstick, in a process of its own.

import { fileURLToPath } from 'node:url';
import { measureFolder } from '../../support/folder-figures.ts';
import { launch, MeasuredProcess } from '../../support/measured-process.ts';
import { arraysBody } from '../bodies/text-bodies.ts';
import type { W1Points } from '../bodies/w1-points.ts';
import { HttpPeer } from '../http-peer.ts';
import type { Peer, PeerPlace, ReadAnswer, RunningPeer, StoredBytes, Tally } from '../peer.ts';

const PROGRAM = fileURLToPath(new URL('plain-arrays-server.ts', import.meta.url));
const READY = /Listening on (http:\/\/\S+)/;

export const plainNode: Peer = {
  name: 'plain',
  title: 'plain Node',
  durability: 'bodies appended to a file, not synced; points in memory only',
  readVia: 'HTTP, arrays of JSON',
  version: () => `Node ${process.version}, no engine`,
  forms: [
    {
      name: 'JSON arrays',
      encode: arraysBody,
      post: { path: '/write', contentType: 'application/json' },
      sharing: 'in turn',
      isRead: true,
    },
  ],
  start: startPlain,
};

async function startPlain({ folder, points }: PeerPlace): Promise<RunningPeer> {
  const launched = await launch({ args: ['--import', 'tsx', PROGRAM, `${folder}/bodies`], ready: READY });
  return new RunningPlain(new MeasuredProcess(launched), folder, points);
}

type Answer = { readonly points: readonly (readonly [number, number, number])[] }[];

class RunningPlain extends HttpPeer implements RunningPeer {
  readonly #process: MeasuredProcess;
  readonly #folder: string;
  readonly #points: W1Points;

  constructor(process: MeasuredProcess, folder: string, points: W1Points) {
    super(process.url);
    this.#process = process;
    this.#folder = folder;
    this.#points = points;
  }

  get pid(): number {
    return this.#process.pid;
  }

  settle(): Promise<StoredBytes> {
    return Promise.resolve(measureFolder(this.#folder));
  }

  async read(tags: readonly number[], fromMs: number, toMs: number): Promise<ReadAnswer> {
    const names = tags.map((tag) => this.#points.names[tag]).join(',');
    const answer = await this.#answer(`/read?tags=${names}&from=${fromMs}&to=${toMs}`);
    return { ...tallyOf(answer), list: () => answer.flatMap(({ points }) => points) };
  }

  async latest(): Promise<Tally> {
    return tallyOf(await this.#answer('/latest'));
  }

  async #answer(path: string): Promise<Answer> {
    return JSON.parse((await this.get(path)).toString()) as Answer;
  }

  async stop(): Promise<void> {
    this.close();
    await this.#process.kill();
  }
}

function tallyOf(answer: Answer): Tally {
  let count = 0;
  let valueSum = 0;
  for (const { points } of answer) {
    count += points.length;
    for (const point of points) valueSum += point[1];
  }
  return { count, valueSum };
}
