// What lies directly below nodes of a server's address space, page by page: folders, objects and variables, without properties.

import type { BrowseResult, ClientSession } from 'node-opcua-client';
import type { Client } from '../library.ts';

export const OBJECTS_FOLDER = 'ns=0;i=85';
const PROPERTY_TYPE = 'ns=0;i=68';
/** A name, or an id, that is longer is none. */
const MOST_NAME_CHARS = 4096;

export interface Child {
  readonly nodeId: string;
  readonly name: string;
  readonly isVariable: boolean;
}

export interface ChildrenPage {
  readonly children: readonly Child[];
  /** The server has more. */
  readonly isMore: boolean;
}

/** What is asked of the server about one node. */
export function childrenOf({ BrowseDirection, NodeClass }: typeof Client, nodeId: string) {
  return {
    nodeId,
    browseDirection: BrowseDirection.Forward,
    referenceTypeId: 'HierarchicalReferences',
    includeSubtypes: true,
    nodeClassMask: NodeClass.Object | NodeClass.Variable,
    resultMask: 63,
  };
}

/** The pages of an answer. Those that nobody takes, and those beyond `mostPages`, the server need not keep: it is told so. */
export async function* childrenPages(
  session: ClientSession,
  { NodeClass }: typeof Client,
  first: BrowseResult,
  mostPages: number,
): AsyncGenerator<ChildrenPage> {
  let answer = first;
  let point: Buffer | undefined;
  try {
    for (let page = 1; page <= mostPages; page++) {
      point = answer.continuationPoint?.length ? answer.continuationPoint : undefined;
      const children = (answer.references ?? []).flatMap(({ nodeId, browseName, nodeClass, typeDefinition }) => {
        const child = {
          nodeId: nodeId.toString(),
          name: browseName.name ?? '',
          isVariable: nodeClass === NodeClass.Variable,
        };
        // Properties describe what they belong to: they are no values of the plant.
        if (typeDefinition?.toString() === PROPERTY_TYPE) return [];
        return child.nodeId.length > MOST_NAME_CHARS || child.name.length > MOST_NAME_CHARS ? [] : [child];
      });
      yield { children, isMore: point !== undefined };
      if (point === undefined || page === mostPages) return;
      const next = point;
      point = undefined;
      answer = await session.browseNext(next, false);
    }
  } finally {
    // A courtesy: a server that does not answer forgets them by itself.
    if (point !== undefined) await session.browseNext(point, true).catch(() => undefined);
  }
}
