// Finds the variables of a selection: browses below the Objects folder as deep as the patterns ask, in bounds, and takes ids as
// they are.

import type { ClientSession } from 'node-opcua-client';
import { tagNameFault } from '../../../client/tag-name.ts';
import type { NodeSelection } from '../../config.ts';
import type { Client } from '../library.ts';
import { childrenOf, childrenPages, OBJECTS_FOLDER } from './children.ts';
import { type FoundNode, nameTag } from './found-node.ts';
import type { OperationLimits } from './operation-limits.ts';
import { PathPattern, splitPath } from './path-pattern.ts';

const MOST_NODES = 100_000;
const MOST_DEPTH = 16;
const MOST_PAGES = 1000;

/** A session, and what may be asked in it. */
export interface Asking {
  readonly session: ClientSession;
  readonly client: typeof Client;
  readonly limits: OperationLimits;
}

interface Place {
  readonly nodeId: string;
  readonly path: readonly string[];
}

interface Reference extends Place {
  readonly isVariable: boolean;
}

export interface Found {
  readonly nodes: readonly FoundNode[];
  /** What stays out, in words. */
  readonly faults: readonly string[];
  /** Ids of the selections that the server does not have. */
  readonly missing: readonly string[];
}

export async function findNodes(asking: Asking, selections: readonly NodeSelection[]): Promise<Found> {
  const faults: string[] = [];
  const missing: string[] = [];
  const nodes = new NamedNodes(faults);
  for (const selection of selections) {
    const places = await readIds(asking, selection, (nodeId, reason) => {
      missing.push(nodeId);
      faults.push(`${nodeId} is not there: ${reason}`);
    });
    for (const text of selection.paths) places.push(...(await new Walk(asking, text, faults).run()));
    for (const place of places) nodes.add(place, selection);
  }
  return { nodes: nodes.all(), faults, missing };
}

/** Nodes by the names of their tags. */
class NamedNodes {
  readonly #faults: string[];
  readonly #byTag = new Map<string, FoundNode>();

  constructor(faults: string[]) {
    this.#faults = faults;
  }

  add(place: Place, selection: NodeSelection): void {
    const parts = selection.parts.length === 0 ? [undefined] : selection.parts;
    for (const part of parts)
      this.#addOne({ ...place, part, tag: nameTag(selection.name, { ...place, part }), selection });
  }

  all(): FoundNode[] {
    return [...this.#byTag.values()];
  }

  #addOne(node: FoundNode): void {
    const fault = this.#byTag.size >= MOST_NODES ? `more than ${MOST_NODES} tags` : tagNameFault(node.tag);
    const known = this.#byTag.get(node.tag);
    if (fault !== undefined) this.#faults.push(`${node.nodeId} stays out: ${fault}`);
    else if (known === undefined) this.#byTag.set(node.tag, node);
    else if (known.nodeId !== node.nodeId || known.part?.text !== node.part?.text)
      this.#faults.push(
        `${node.nodeId} would be the tag '${node.tag}' as ${known.nodeId} is; want a name that tells them apart`,
      );
  }
}

/** The browse name stands for the path of a node that is named by its id. */
async function readIds(
  { session, client, limits }: Asking,
  { ids }: NodeSelection,
  onMissing: (nodeId: string, reason: string) => void,
): Promise<Place[]> {
  const places: Place[] = [];
  for (let from = 0; from < ids.length; from += limits.read) {
    const part = ids.slice(from, from + limits.read);
    const answers = await session.read(part.map((nodeId) => ({ nodeId, attributeId: client.AttributeIds.BrowseName })));
    for (const [index, nodeId] of part.entries()) {
      const answer = answers[index];
      if (answer?.statusCode.isGood()) places.push({ nodeId, path: [String(answer.value.value?.name ?? nodeId)] });
      else onMissing(nodeId, answer?.statusCode.name ?? 'no answer');
    }
  }
  return places;
}

/** One walk through the tree, level after level. */
class Walk {
  readonly #asking: Asking;
  readonly #pattern: PathPattern;
  readonly #text: string;
  readonly #faults: string[];
  readonly #seen = new Set<string>([OBJECTS_FOLDER]);

  constructor(asking: Asking, text: string, faults: string[]) {
    this.#asking = asking;
    this.#pattern = new PathPattern(text);
    this.#text = text;
    this.#faults = faults;
  }

  async run(): Promise<Place[]> {
    const found: Place[] = [];
    let level: Place[] = [{ nodeId: OBJECTS_FOLDER, path: [] }];
    for (let depth = 0; depth < MOST_DEPTH && level.length > 0; depth++) {
      const next: Place[] = [];
      const { browse } = this.#asking.limits;
      for (let from = 0; from < level.length; from += browse) {
        for (const child of await this.#children(level.slice(from, from + browse))) this.#judge(child, found, next);
        if (this.#seen.size <= MOST_NODES) continue;
        this.#faults.push(`'${this.#text}' lies in more than ${MOST_NODES} nodes; want a narrower path`);
        return found;
      }
      level = next;
    }
    if (found.length === 0) this.#faults.push(`nothing is at '${splitPath(this.#text).join('/')}' below Objects`);
    return found;
  }

  #judge({ nodeId, path, isVariable }: Reference, found: Place[], next: Place[]): void {
    const verdict = this.#pattern.judge(path);
    if (verdict === 'no' || this.#seen.has(nodeId)) return;
    this.#seen.add(nodeId);
    if (isVariable && verdict !== 'below') found.push({ nodeId, path });
    if (verdict !== 'match') next.push({ nodeId, path });
  }

  async #children(parents: readonly Place[]): Promise<Reference[]> {
    const { session, client } = this.#asking;
    const answers = await session.browse(parents.map(({ nodeId }) => childrenOf(client, nodeId)));
    const children: Reference[] = [];
    for (const [index, parent] of parents.entries()) {
      const answer = answers[index];
      if (answer === undefined) continue;
      for await (const page of childrenPages(session, client, answer, MOST_PAGES)) {
        for (const { nodeId, name, isVariable } of page.children) {
          if (children.length > MOST_NODES) break;
          children.push({ nodeId, path: [...parent.path, name], isVariable });
        }
        if (children.length > MOST_NODES) break;
      }
    }
    return children;
  }
}
