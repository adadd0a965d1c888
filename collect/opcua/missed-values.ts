// Values of times around the newest point and before it, set while the connection was cut by a source whose clock was set back,
// and is past that point again: they are read from the history behind the first change that tells it.

import type { ClientSession, DataValue } from 'node-opcua-client';
import type { TagTimes } from '../newest-times.ts';
import { readHistory } from './history.ts';
import type { Client } from './library.ts';
import type { Variable } from './nodes/found-node.ts';
import type { PointFlow } from './point-flow.ts';
import type { MissedSlice, SourceClocks } from './source-clocks.ts';

export interface MissedOptions {
  readonly session: ClientSession;
  readonly client: typeof Client;
  readonly clocks: SourceClocks;
  readonly flow: PointFlow;
  readonly onRecovered: (count: number) => Promise<void>;
  /** Resolves when what was stored is on disk. */
  readonly written: () => Promise<void>;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

export class MissedValues {
  readonly #options: MissedOptions;
  /** Variables with a history, by their first tags. */
  readonly #logged = new Map<string, Variable>();

  constructor(options: MissedOptions) {
    this.#options = options;
  }

  /** The connection begins with these. */
  watch(variables: readonly Variable[], times: (tag: string) => TagTimes | undefined): void {
    for (const variable of variables) {
      const tag = variable.nodes[0]?.tag;
      if (tag === undefined || !variable.hasHistory) continue;
      this.#logged.set(tag, variable);
      const newest = times(tag)?.newest;
      if (newest !== undefined) this.#options.clocks.beginBehind(tag, newest);
    }
  }

  /** A change that came just now. */
  see({ nodes, hasHistory }: Variable, { sourceTimestamp }: DataValue): void {
    const tag = nodes[0]?.tag;
    if (!hasHistory || tag === undefined || !sourceTimestamp) return;
    this.#options.clocks.see(tag, { timeMs: sourceTimestamp.getTime(), ticks: 0 }, Date.now());
  }

  /** Reads what is known to be missed, if anything; where the history cannot be read, it is marked. */
  async read(nodesPerRequest: number): Promise<void> {
    const { clocks, flow, written, log, signal } = this.#options;
    const slices = this.#slices();
    if (slices.size === 0) return;
    const { failed, reason } = await this.#readHistory(slices, nodesPerRequest);
    if (signal.aborted) return;
    for (const [variable, { newest }] of slices) if (failed.has(variable)) flow.markMissed(variable, newest);
    await written();
    for (const slice of slices.values()) clocks.settle(slice);
    const marked = failed.size > 0 ? `, and marked as bad for ${failed.size} (${reason})` : '';
    log(`the clock of ${slices.size} variables was set back during a cut: what they had then is read${marked}`);
  }

  #readHistory(slices: ReadonlyMap<Variable, MissedSlice>, nodesPerRequest: number): ReturnType<typeof readHistory> {
    const { session, client, flow, onRecovered, signal } = this.#options;
    return readHistory(
      [...slices].map(([variable, { fromMs }]) => ({ variable, fromMs })),
      {
        session,
        client,
        nodesPerRequest,
        untilMs: Math.max(...[...slices.values()].map(({ until }) => until.timeMs + 1)),
        take: async ({ variable, values }) => {
          const until = slices.get(variable)?.until;
          if (until === undefined) return;
          for (const value of values) await onRecovered(flow.takeMissed(variable, value, until));
        },
        signal,
      },
    );
  }

  #slices(): Map<Variable, MissedSlice> {
    const slices = new Map<Variable, MissedSlice>();
    for (const slice of this.#options.clocks.missed) {
      const variable = this.#logged.get(slice.tag);
      if (variable !== undefined) slices.set(variable, slice);
    }
    return slices;
  }
}
