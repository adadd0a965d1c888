// Rounds of a server that ends in the middle of its work, by kill -9 or with the power of its disk: each starts on what the
// one before has left, compares that with what the clients know, and works on.

import { HttpClient } from '../support/http-client.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { type ServerOptions, ServerProcess } from '../support/server-process.ts';
import { type KilledClient, untilLoaded } from './kill-writer.ts';

const EVENTS_SHOWN = 5;

/** Whether answers still count: with the power cut they promise nothing. */
export interface Power {
  isOff: boolean;
}

/** Place of the data of the rounds. */
export interface KillPlace {
  readonly dataFolder: string;
  /** Called before each start, before each load, and in its middle. */
  disturb?(): void;
  /** Ends the server, and leaves the place as the next start finds it. */
  end(server: ServerProcess, power: Power): Promise<void>;
}

/** A folder that stays as the killed process has left it, but for what `afterKill` does to it. */
export function plainPlace(dataFolder: string, afterKill: () => void = () => undefined): KillPlace {
  const end = async (server: ServerProcess): Promise<void> => {
    await server.kill();
    afterKill();
  };
  return { dataFolder, end };
}

export interface KillRoundsPlan {
  readonly random: SeededRandom;
  readonly place: KillPlace;
  readonly clients: readonly KilledClient[];
  /** Requests that are answered before an end. */
  readonly load: { readonly least: number; readonly most: number };
  readonly serverOf: (round: number) => Omit<ServerOptions, 'dataFolder' | 'transport'>;
  /** Before the first request of a client; of an earlier round it may have been done. */
  readonly prepare?: (client: HttpClient) => Promise<void>;
}

export class KillRounds {
  checkedRounds = 0;
  readonly #plan: KillRoundsPlan;

  constructor(plan: KillRoundsPlan) {
    this.#plan = plan;
  }

  get acknowledgedCount(): number {
    return this.#plan.clients.reduce((sum, client) => sum + client.acknowledgedCount, 0);
  }

  /** Rounds `[from, to)`. Throws at the first difference. */
  async run(from: number, to: number): Promise<void> {
    this.checkedRounds = from;
    for (let round = from; round < to; round++) await this.#serve(round, (server) => this.#loadAndEnd(server));
    await this.#serve(to, () => Promise.resolve());
  }

  /** Starts the server, compares what the end before has left, and works with it. */
  async #serve(round: number, work: (server: ServerProcess) => Promise<void>): Promise<void> {
    const { place, random, serverOf } = this.#plan;
    const transport = random.chance(0.7) ? 'uws' : 'node';
    const options = serverOf(round);
    place.disturb?.();
    const server = await ServerProcess.start({ dataFolder: place.dataFolder, transport, ...options });
    try {
      await this.#checkAll(server);
      this.checkedRounds = round;
      await work(server);
    } catch (error) {
      const told = server.logLines.filter((line) => /"level":"(warn|error|fatal)"/.test(line)).slice(-EVENTS_SHOWN);
      const message = `${options.flags?.join(' ')}: ${(error as Error).message}`;
      throw new Error([message, ...told].join('\n  '), { cause: error });
    } finally {
      await server.kill();
    }
  }

  async #checkAll(server: ServerProcess): Promise<void> {
    const client = new HttpClient(server.url);
    for (const one of this.#plan.clients) await one.check(client);
    client.close();
  }

  async #loadAndEnd(server: ServerProcess): Promise<void> {
    const { clients, random, load, place, prepare } = this.#plan;
    const client = new HttpClient(server.url);
    if (this.acknowledgedCount === 0) await prepare?.(client);
    place.disturb?.();
    const power: Power = { isOff: false };
    const running = Promise.all(clients.map((one) => one.run(client, () => power.isOff)));
    const early = running.then(() => Promise.reject(new Error('all clients lost their connection before the end')));
    const half = { least: Math.ceil(load.least / 2), most: Math.ceil(load.most / 2), ended: running };
    await Promise.race([early, untilLoaded(clients, random, half)]);
    place.disturb?.();
    await Promise.race([early, untilLoaded(clients, random, half)]);
    await place.end(server, power);
    await running;
    client.close();
  }
}
