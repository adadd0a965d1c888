// What a server says of its variables as definitions of tags: description, type, unit or the texts of an enumeration.

import type { ClientSession, DataValue } from 'node-opcua-client';
import type { TagObject } from '../../forward/historian-client.ts';
import type { DescribedNode, FoundNode } from './found-node.ts';
import type { Client } from './library.ts';

const NODES_PER_REQUEST = 200;
const HISTORY_READ = 0x04;
const PROPERTIES = ['EngineeringUnits', 'EURange', 'EnumStrings'] as const;
const MOST_STATES = 1000;

type Property = (typeof PROPERTIES)[number];

const TYPES: Readonly<Record<string, string>> = {
  Boolean: 'System.Boolean',
  SByte: 'System.SByte',
  Byte: 'System.Byte',
  Int16: 'System.Int16',
  UInt16: 'System.UInt16',
  Int32: 'System.Int32',
  UInt32: 'System.UInt32',
  Int64: 'System.Int64',
  UInt64: 'System.UInt64',
  Float: 'System.Single',
  Double: 'System.Double',
  DateTime: 'System.DateTime',
};
const TEXT_TYPE = 'System.String';

export interface Described {
  readonly nodes: readonly DescribedNode[];
  readonly tags: readonly TagObject[];
}

export async function describeNodes(
  session: ClientSession,
  client: typeof Client,
  nodes: readonly FoundNode[],
): Promise<Described> {
  const described: DescribedNode[] = [];
  const tags: TagObject[] = [];
  const typeNames = new TypeNames(session, client);
  for (let from = 0; from < nodes.length; from += NODES_PER_REQUEST) {
    const part = nodes.slice(from, from + NODES_PER_REQUEST);
    const attributes = await readAttributes(session, client, part);
    const properties = await readProperties(session, client, part);
    for (const [index, node] of part.entries()) {
      const [description, dataType, accessLevel] = attributes.slice(index * 3, index * 3 + 3);
      const known = properties.get(node.nodeId) ?? {};
      const type = await typeNames.of(node.nodeId, dataType);
      tags.push(tagOf(node, { description, type, known }));
      described.push({
        ...node,
        hasHistory: (Number(accessLevel?.value?.value ?? 0) & HISTORY_READ) !== 0,
        span: spanOf(known.EURange),
      });
    }
  }
  return { nodes: described, tags };
}

function readAttributes(session: ClientSession, client: typeof Client, nodes: readonly FoundNode[]) {
  const { Description, DataType, AccessLevel } = client.AttributeIds;
  return session.read(
    nodes.flatMap(({ nodeId }) => [Description, DataType, AccessLevel].map((attributeId) => ({ nodeId, attributeId }))),
  );
}

type Properties = Partial<Record<Property, unknown>>;

async function readProperties(
  session: ClientSession,
  client: typeof Client,
  nodes: readonly FoundNode[],
): Promise<Map<string, Properties>> {
  const answers = await session.browse(
    nodes.map(({ nodeId }) => ({
      nodeId,
      browseDirection: client.BrowseDirection.Forward,
      referenceTypeId: 'HasProperty',
      includeSubtypes: true,
      nodeClassMask: client.NodeClass.Variable,
      resultMask: 63,
    })),
  );
  const wanted = nodes.flatMap(({ nodeId }, index) =>
    (answers[index]?.references ?? []).flatMap((reference) => {
      const name = PROPERTIES.find((property) => property === reference.browseName.name);
      return name === undefined ? [] : [{ owner: nodeId, name, nodeId: reference.nodeId.toString() }];
    }),
  );
  const values =
    wanted.length === 0
      ? []
      : await session.read(wanted.map(({ nodeId }) => ({ nodeId, attributeId: client.AttributeIds.Value })));
  const byOwner = new Map<string, Properties>();
  for (const [index, { owner, name }] of wanted.entries()) {
    const value = values[index];
    if (value?.statusCode.isGood()) byOwner.set(owner, { ...byOwner.get(owner), [name]: value.value.value });
  }
  return byOwner;
}

/** Types of tags by types of data, each asked for once. */
class TypeNames {
  readonly #session: ClientSession;
  readonly #client: typeof Client;
  readonly #known = new Map<string, string | undefined>();

  constructor(session: ClientSession, client: typeof Client) {
    this.#session = session;
    this.#client = client;
  }

  /** Undefined for a type that the server does not describe: the first value decides. */
  async of(nodeId: string, dataType: DataValue | undefined): Promise<string | undefined> {
    const id = dataType?.statusCode.isGood() ? dataType.value.value : undefined;
    if (id === undefined || id === null) return undefined;
    const key = String(id);
    if (this.#known.has(key)) return this.#known.get(key);
    const builtIn = await this.#session.getBuiltInDataType(this.#client.resolveNodeId(nodeId)).catch(() => undefined);
    const type = builtIn === undefined ? undefined : (TYPES[this.#client.DataType[builtIn] ?? ''] ?? TEXT_TYPE);
    this.#known.set(key, type);
    return type;
  }
}

interface Told {
  readonly description: DataValue | undefined;
  readonly type: string | undefined;
  readonly known: Properties;
}

function tagOf({ tag, nodeId }: FoundNode, { description, type, known }: Told): TagObject {
  const text = description?.statusCode.isGood() ? String(description.value?.value?.text ?? '') : '';
  const units = unitsOf(known);
  return {
    n: tag,
    ...(type === undefined ? {} : { t: type }),
    ...(text === '' ? {} : { d: text }),
    ...(units === undefined ? {} : { u: units }),
    fl: { opcNodeId: nodeId },
  };
}

function unitsOf({ EngineeringUnits, EnumStrings }: Properties): Record<string, string> | undefined {
  if (Array.isArray(EnumStrings)) {
    const states = EnumStrings.slice(0, MOST_STATES) as { readonly text?: string }[];
    return Object.fromEntries(states.map((state, index) => [String(index), String(state?.text ?? '')]));
  }
  const name = (EngineeringUnits as { displayName?: { text?: string } } | undefined)?.displayName?.text;
  return name ? { '1': name } : undefined;
}

function spanOf(range: unknown): number | undefined {
  const { low, high } = (range ?? {}) as { low?: unknown; high?: unknown };
  return typeof low === 'number' && typeof high === 'number' && high > low ? high - low : undefined;
}
