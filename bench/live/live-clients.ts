// Clients of live data: they count what comes, and how long it was under way. Each value is the time at which it was sent.

import { Agent, get } from 'node:http';
import { WebSocket } from 'ws';

export const LIVE_WAYS = ['sse', 'websocket'] as const;
export type LiveWay = (typeof LIVE_WAYS)[number];

const VALUE = /"v":([0-9.]+)/g;
/** The heartbeat comes every 15 s, and what came before the first write is not counted. */
const POINTS_EVENT = /event(?:: |":")points/;

export class LiveClients {
  events = 0;
  points = 0;
  /** Latency of every event that is counted: from before its write was sent until it was read; ms. */
  readonly latenciesMs: number[] = [];
  isCounting = false;
  openCount = 0;
  lostCount = 0;
  readonly #url: string;
  readonly #way: LiveWay;
  readonly #closers: (() => void)[] = [];
  readonly #agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

  constructor(url: string, way: LiveWay) {
    this.#url = url;
    this.#way = way;
  }

  /** Resolves when the first event has come. */
  open(path: string): Promise<void> {
    return this.#way === 'sse' ? this.#openStream(path) : this.#openSocket(path);
  }

  /** Forgets what was counted, and counts from now on. */
  restart(): void {
    this.events = 0;
    this.points = 0;
    this.latenciesMs.length = 0;
    this.isCounting = true;
  }

  close(): void {
    this.isCounting = false;
    for (const close of this.#closers) close();
    this.#agent.destroy();
  }

  #openStream(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const request = get(`${this.#url}${path}`, { agent: this.#agent }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`got status ${response.statusCode}; want 200`));
        let rest = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          const events = (rest + text).split('\n\n');
          rest = events.pop() ?? '';
          for (const event of events) this.#take(event);
          if (events.length > 0) resolve();
        });
        response.on('close', () => this.#lost());
        response.on('error', () => {});
        this.openCount++;
      });
      request.on('error', reject);
      this.#closers.push(() => request.destroy());
    });
  }

  #openSocket(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${this.#url.replace('http', 'ws')}${path}`, { perMessageDeflate: false });
      socket.on('message', (bytes) => {
        this.#take(String(bytes));
        resolve();
      });
      socket.on('open', () => this.openCount++);
      socket.on('error', reject);
      socket.on('close', () => this.#lost());
      this.#closers.push(() => socket.terminate());
    });
  }

  #lost(): void {
    if (this.isCounting) this.lostCount++;
  }

  #take(event: string): void {
    if (!this.isCounting || !POINTS_EVENT.test(event)) return;
    const nowMs = performance.now();
    let oldestMs = nowMs;
    for (const [, digits] of event.matchAll(VALUE)) {
      this.points++;
      oldestMs = Math.min(oldestMs, Number(digits));
    }
    this.events++;
    this.latenciesMs.push(nowMs - oldestMs);
  }
}
