// An edge that copies to a centre, and a server that answers from it: asked the same, they must answer the same.

import assert from 'node:assert/strict';
import { firstDifference } from '../same-answers.ts';
import { ServerProcess } from '../server-process.ts';

const SETTLE_LIMIT_MS = 60_000;
const LOOK_MS = 200;
/** A server over a centre looks for what is new each second. */
const LOOKS_MS = 2_500;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly behind: string | null;
}

interface Copy {
  readonly dataset: string;
  readonly state: string;
  readonly waitingTags: number;
  readonly lagSeconds?: number;
}

export interface CentrePlantOptions {
  /** Address of the centre, without a database. */
  readonly address: string;
  readonly dataFolder?: string;
  readonly edgeFlags?: readonly string[];
}

export class CentrePlant {
  readonly edge: ServerProcess;
  readonly centre: ServerProcess;

  private constructor(edge: ServerProcess, centre: ServerProcess) {
    this.edge = edge;
    this.centre = centre;
  }

  static async start({ address, dataFolder, edgeFlags = [] }: CentrePlantOptions): Promise<CentrePlant> {
    const flags = ['--centre', `${address}/varve`, ...edgeFlags];
    const edge = await ServerProcess.start({ flags, ...(dataFolder === undefined ? {} : { dataFolder }) });
    const centre = await ServerProcess.start({ flags: ['--engine', `${address}/varve`] });
    return new CentrePlant(edge, centre);
  }

  async stop(): Promise<void> {
    await this.edge.stop();
    await this.centre.stop();
  }

  /** Sends JSON to the edge; fails unless it answers with success. */
  async send(method: string, path: string, body?: unknown): Promise<string> {
    const { status, text } = await ask(this.edge.url, path, { method, body });
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
    return text;
  }

  /** Resolves when all that the edge has accepted is at the centre, and known to the server there. */
  async settled(): Promise<void> {
    const sinceMs = Date.now();
    const endMs = sinceMs + SETTLE_LIMIT_MS;
    for (
      let copies = await this.copies();
      !copies.every((copy) => isSettled(copy, sinceMs));
      copies = await this.copies()
    ) {
      assert.ok(Date.now() < endMs, `not settled: ${JSON.stringify(copies)}`);
      await pause(LOOK_MS);
    }
    await pause(LOOKS_MS);
  }

  async copies(): Promise<readonly Copy[]> {
    const { text } = await ask(this.edge.url, '/api/copies', {});
    return (JSON.parse(text) as { copies: Copy[] }).copies;
  }

  /** Both answer the same; gives the answer. */
  async same(path: string, body?: unknown): Promise<string> {
    const asked = body === undefined ? {} : { method: 'POST', body };
    const edge = await ask(this.edge.url, path, asked);
    const centre = await ask(this.centre.url, path, asked);
    const name = `${path} ${body === undefined ? '' : JSON.stringify(body)}`;
    assert.equal(centre.status, edge.status, `${name}: ${centre.text.slice(0, 500)}`);
    if (centre.text !== edge.text) assert.fail(`${name}: ${firstDifference(edge.text, centre.text)}`);
    if (edge.status === 200) assert.ok(Number(centre.behind) < SETTLE_LIMIT_MS / 1000, 'it says how old the copy is');
    return edge.text;
  }

  /** What a client of the server over the centre gets. */
  atCentre(method: string, path: string, body?: unknown): Promise<Answer> {
    return ask(this.centre.url, path, { method, body });
  }
}

function isSettled({ waitingTags, lagSeconds }: Copy, sinceMs: number): boolean {
  return waitingTags === 0 && lagSeconds !== undefined && Date.now() - lagSeconds * 1000 > sinceMs;
}

async function ask(
  url: string,
  path: string,
  { method = 'GET', body }: { method?: string; body?: unknown },
): Promise<Answer> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await fetch(`${url}${path}`, { method, ...sent });
  return { status: answer.status, text: await answer.text(), behind: answer.headers.get('historian-behind') };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
