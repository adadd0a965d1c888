// Finds the variables of a selection: browses below the Objects folder as deep as the patterns ask, in bounds, and takes ids as
// they are.

import type { ClientSession } from 'node-opcua-client';
import { tagNameFault } from '../../client/tag-name.ts';
import type { NodeSelection } from '../config.ts';
import { type FoundNode, nameTag } from './found-node.ts';
import type { Client } from './library.ts';
import { PathPattern, splitPath } from './path-pattern.ts';

const OBJECTS_FOLDER = 'ns=0;i=85';
const PROPERTY_TYPE = 'ns=0;i=68';
const MOST_NODES = 100_000;
const MOST_DEPTH = 16;
const NODES_PER_REQUEST = 50;
const MOST_PAGES = 1000;

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
}

export async function findNodes(
  session: ClientSession,
  client: typeof Client,
  selections: readonly NodeSelection[],
): Promise<Found> {
  const faults: string[] = [];
  const byTag = new Map<string, FoundNode>();
  for (const selection of selections) {
    const places = [...(await readIds(session, client, selection, faults))];
    for (const text of selection.paths) places.push(...(await new Walk(session, client, text, faults).run()));
    for (const place of places) {
      const node = { ...place, tag: nameTag(selection.name, place), selection };
      const fault = tagNameFault(node.tag);
      const known = byTag.get(node.tag);
      if (fault !== undefined) faults.push(`${node.nodeId} stays out: ${fault}`);
      else if (known === undefined) byTag.set(node.tag, node);
      else if (known.nodeId !== node.nodeId)
        faults.push(
          `${node.nodeId} would be the tag '${node.tag}' as ${known.nodeId} is; want a name that tells them apart`,
        );
    }
  }
  return { nodes: [...byTag.values()], faults };
}

/** The browse name stands for the path of a node that is named by its id. */
async function readIds(
  session: ClientSession,
  client: typeof Client,
  { ids }: NodeSelection,
  faults: string[],
): Promise<Place[]> {
  const places: Place[] = [];
  for (let from = 0; from < ids.length; from += 1000) {
    const part = ids.slice(from, from + 1000);
    const answers = await session.read(part.map((nodeId) => ({ nodeId, attributeId: client.AttributeIds.BrowseName })));
    for (const [index, nodeId] of part.entries()) {
      const answer = answers[index];
      if (answer?.statusCode.isGood()) places.push({ nodeId, path: [String(answer.value.value?.name ?? nodeId)] });
      else faults.push(`${nodeId} is not there: ${answer?.statusCode.name ?? 'no answer'}`);
    }
  }
  return places;
}

/** One walk through the tree, level after level. */
class Walk {
  readonly #session: ClientSession;
  readonly #client: typeof Client;
  readonly #pattern: PathPattern;
  readonly #text: string;
  readonly #faults: string[];
  readonly #seen = new Set<string>([OBJECTS_FOLDER]);

  constructor(session: ClientSession, client: typeof Client, text: string, faults: string[]) {
    this.#session = session;
    this.#client = client;
    this.#pattern = new PathPattern(text);
    this.#text = text;
    this.#faults = faults;
  }

  async run(): Promise<Place[]> {
    const found: Place[] = [];
    let level: Place[] = [{ nodeId: OBJECTS_FOLDER, path: [] }];
    for (let depth = 0; depth < MOST_DEPTH && level.length > 0; depth++) {
      const next: Place[] = [];
      for (let from = 0; from < level.length; from += NODES_PER_REQUEST) {
        for (const child of await this.#children(level.slice(from, from + NODES_PER_REQUEST)))
          this.#judge(child, found, next);
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
    const { BrowseDirection, NodeClass } = this.#client;
    const answers = await this.#session.browse(
      parents.map(({ nodeId }) => ({
        nodeId,
        browseDirection: BrowseDirection.Forward,
        referenceTypeId: 'HierarchicalReferences',
        includeSubtypes: true,
        nodeClassMask: NodeClass.Object | NodeClass.Variable,
        resultMask: 63,
      })),
    );
    const children: Reference[] = [];
    for (const [index, parent] of parents.entries()) {
      let answer = answers[index];
      for (let page = 0; answer !== undefined && page < MOST_PAGES; page++) {
        for (const { nodeId, browseName, nodeClass, typeDefinition } of answer.references ?? []) {
          // Properties describe what they belong to: they are no values of the plant.
          if (typeDefinition?.toString() === PROPERTY_TYPE) continue;
          children.push({
            nodeId: nodeId.toString(),
            path: [...parent.path, browseName.name ?? ''],
            isVariable: nodeClass === NodeClass.Variable,
          });
        }
        const point: Buffer | undefined = answer.continuationPoint;
        answer = point?.length ? await this.#session.browseNext(point, false) : undefined;
      }
    }
    return children;
  }
}
