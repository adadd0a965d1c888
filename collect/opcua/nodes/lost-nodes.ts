// Variables that a server does not have, or has no more: looked for now and then, so that they come back by themselves. A node
// counts as back only when it was seen to be absent before.

import type { ClientSession } from 'node-opcua-client';
import type { NodeSelection } from '../../config.ts';
import type { Client } from '../library.ts';
import { findNodes } from './browse.ts';
import type { OperationLimits } from './operation-limits.ts';

const LOOK_MS = 5000;
const BROWSE_MS = 60_000;
/** Browsing may cost a server much: it is done for a small part of the time. */
const BROWSE_SHARE = 30;
const MOST_LOOKED_FOR = 1000;

export interface LostNodesOptions {
  readonly session: ClientSession;
  readonly client: typeof Client;
  readonly limits: OperationLimits;
  readonly selections: readonly NodeSelection[];
  /** Ids that were found when the connection began. */
  readonly found: ReadonlySet<string>;
  readonly browsedInMs: number;
}

export class LostNodes {
  readonly #options: LostNodesOptions;
  /** Whether each was seen to be absent. */
  readonly #missing = new Map<string, boolean>();
  readonly #browseEveryMs: number;
  #lookedMs = performance.now();
  #browsedMs = performance.now();

  constructor(options: LostNodesOptions) {
    this.#options = options;
    this.#browseEveryMs = Math.max(BROWSE_MS, options.browsedInMs * BROWSE_SHARE);
  }

  /** The server said of a variable that it is not there. */
  add(nodeId: string): void {
    if (this.#missing.size < MOST_LOOKED_FOR && !this.#missing.has(nodeId)) this.#missing.set(nodeId, false);
  }

  /** A variable that was there is so no more: what is found of its id from now on is another one. */
  addGone(nodeId: string): void {
    this.add(nodeId);
    if (this.#missing.has(nodeId)) this.#missing.set(nodeId, true);
  }

  /** A reason to begin anew, once it is time to look. */
  async look(): Promise<string | undefined> {
    const nowMs = performance.now();
    if (this.#missing.size > 0 && nowMs - this.#lookedMs >= LOOK_MS) {
      this.#lookedMs = nowMs;
      const backCount = await this.#countBack();
      if (backCount > 0) return `${backCount} variables that it did not have are back`;
    }
    if (nowMs - this.#browsedMs < this.#browseEveryMs || !this.#hasPaths()) return undefined;
    const newCount = await this.#countNew();
    this.#browsedMs = performance.now();
    return newCount > 0 ? `it has ${newCount} new variables` : undefined;
  }

  async #countBack(): Promise<number> {
    const { session, client, limits } = this.#options;
    const ids = [...this.#missing.keys()].slice(0, limits.read);
    const answers = await session.read(ids.map((nodeId) => ({ nodeId, attributeId: client.AttributeIds.BrowseName })));
    let count = 0;
    for (const [index, nodeId] of ids.entries()) {
      if (!answers[index]?.statusCode.isGood()) this.#missing.set(nodeId, true);
      else if (this.#missing.get(nodeId)) count++;
      else this.#missing.delete(nodeId);
    }
    return count;
  }

  #hasPaths(): boolean {
    return this.#options.selections.some(({ paths }) => paths.length > 0);
  }

  async #countNew(): Promise<number> {
    const { session, client, limits, selections, found } = this.#options;
    const { nodes } = await findNodes({ session, client, limits }, selections);
    return new Set(nodes.map(({ nodeId }) => nodeId).filter((nodeId) => !found.has(nodeId))).size;
  }
}
