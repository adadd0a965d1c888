// Another client of a server, as a process of its own: on one connection it asks for /health again and again, on another
// it writes one point. For each it keeps the most processor time that the server's main thread used while an answer was
// waited for; the next request goes out a millisecond behind the answer, so that is the time between two answers, too.
//
// Time in which this process was ready to run and had no processor is taken off: an answer may lie there unread for so long.
// Run by probe.ts: node --import tsx probe-program.ts <port> <process id of the server>

import { setTimeout as delay } from 'node:timers/promises';
import { HttpClient } from '../../support/http-client.ts';
import { readThreadTimes } from './thread-cpu.ts';

export const PROBE_DATASET = 'Probe';
const PAUSE_MS = 1;
/** While no row is measured nothing is asked, since that would cost others the processor. */
const REST_MS = 5;
/** A slow disk may keep a write waiting for seconds, which is no work of the server's. */
const ANSWER_LIMIT_MS = 60_000;

/** The longest that one kind of request was held. */
export interface Held {
  readonly answers: number;
  readonly cpuMs: number;
}

export interface ProbeFigures {
  readonly health: Held;
  readonly write: Held;
  readonly failures: readonly string[];
}

type Ask = () => Promise<{ readonly status: number; readonly text: string }>;

class Connection {
  readonly #pid: number;
  readonly #ask: Ask;
  readonly #failures: string[];
  #answers = 0;
  #longestMs = 0;
  #isResting = true;

  constructor(pid: number, ask: Ask, failures: string[]) {
    this.#pid = pid;
    this.#ask = ask;
    this.#failures = failures;
  }

  async run(): Promise<never> {
    for (;;) {
      while (this.#isResting) await delay(REST_MS);
      const before = this.#look();
      await this.#request();
      const now = this.#look();
      const unreadMs = now.waitedMs - before.waitedMs;
      this.#longestMs = Math.max(this.#longestMs, now.serverMs - before.serverMs - unreadMs);
      await delay(PAUSE_MS);
    }
  }

  /** Resolves when there is a first answer, which does not count. */
  async begin(): Promise<void> {
    this.#isResting = false;
    await this.#take();
  }

  async end(): Promise<Held> {
    const held = await this.#take();
    this.#isResting = true;
    return held;
  }

  /** Figures since the last call, once there is an answer to count; without one when time is up. */
  async #take(): Promise<Held> {
    const deadlineMs = performance.now() + ANSWER_LIMIT_MS;
    while (this.#answers === 0 && performance.now() < deadlineMs) await delay(PAUSE_MS);
    const held = { answers: this.#answers, cpuMs: this.#longestMs };
    this.#answers = 0;
    this.#longestMs = 0;
    return held;
  }

  async #request(): Promise<void> {
    try {
      const { status, text } = await this.#ask();
      if (status === 200) this.#answers++;
      else this.#failures.push(`another client was answered ${status} ${text.slice(0, 200)}`);
    } catch (error) {
      this.#failures.push(`another client was not served: ${(error as Error).message}`);
    }
  }

  #look(): { serverMs: number; waitedMs: number } {
    return { serverMs: readThreadTimes(this.#pid).cpuMs, waitedMs: readThreadTimes(process.pid).waitedMs };
  }
}

function start(port: number, pid: number): void {
  const url = `http://127.0.0.1:${port}`;
  const [asking, writing] = [new HttpClient(url), new HttpClient(url)];
  const failures: string[] = [];
  const health = new Connection(pid, () => asking.get('/health'), failures);
  const points = `/api/datasets/${PROBE_DATASET}/data/Probe`;
  const write = new Connection(pid, () => writing.post(points, [{ v: 1 }]), failures);
  void health.run();
  void write.run();
  const begin = async (): Promise<void> => {
    await Promise.all([health.begin(), write.begin()]);
    process.send?.('begun');
  };
  const end = async (): Promise<void> => {
    const [healthHeld, writeHeld] = await Promise.all([health.end(), write.end()]);
    const figures: ProbeFigures = { health: healthHeld, write: writeHeld, failures: failures.splice(0, 20) };
    process.send?.(figures);
  };
  process.on('message', (message) => void (message === 'begin' ? begin() : end()));
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

const [port, pid] = process.argv.slice(2).map(Number) as [number, number];
if (process.argv[1] === import.meta.filename) start(port, pid);
