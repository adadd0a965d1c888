// What a server says of its variables as definitions of tags: description, type, unit or the texts of an enumeration.

import type { DataValue } from 'node-opcua-client';
import type { TagObject } from '../../../forward/historian-client.ts';
import type { Asking } from './browse.ts';
import type { DescribedNode, FoundNode } from './found-node.ts';

const ATTRIBUTES = ['Description', 'DataType', 'AccessLevel', 'ValueRank'] as const;
const MOST_NODES_PER_REQUEST = 50;
const MOST_TEXT_CHARS = 1000;
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
const STRUCTURE_TYPE = 'ExtensionObject';
const TEXT_TYPE = 'System.String';

export interface Described {
  readonly nodes: readonly DescribedNode[];
  readonly tags: readonly TagObject[];
  /** What will have no values, in words. */
  readonly faults: readonly string[];
}

/** What a server says of one variable. */
interface VariableFacts {
  readonly description: DataValue | undefined;
  readonly type: string | undefined;
  readonly hasHistory: boolean;
  readonly isList: boolean;
  readonly isStructure: boolean;
  readonly known: Properties;
}

export async function describeNodes(asking: Asking, nodes: readonly FoundNode[]): Promise<Described> {
  const ids = [...new Set(nodes.map(({ nodeId }) => nodeId))];
  const facts = await readFacts(asking, ids);
  const described: DescribedNode[] = [];
  const tags: TagObject[] = [];
  const faults: string[] = [];
  const told = new Set<string>();
  for (const node of nodes) {
    const fact = facts.get(node.nodeId);
    tags.push(tagOf(node, fact));
    described.push({ ...node, hasHistory: fact?.hasHistory ?? false, span: spanOf(fact?.known.EURange) });
    const fault = node.part === undefined ? shapeFault(fact) : undefined;
    if (fault !== undefined && !told.has(node.nodeId)) faults.push(`${node.nodeId} ${fault}`);
    told.add(node.nodeId);
  }
  return { nodes: described, tags, faults };
}

function shapeFault(fact: VariableFacts | undefined): string | undefined {
  if (fact?.isList) return 'is an array: its points are bad; want \'parts\' in its selection, such as ["[0:9]"]';
  if (fact?.isStructure)
    return 'is a structure: its points are bad; want \'parts\' in its selection, such as [".Speed"]';
  return undefined;
}

async function readFacts(asking: Asking, ids: readonly string[]): Promise<Map<string, VariableFacts>> {
  const facts = new Map<string, VariableFacts>();
  const typeNames = new TypeNames(asking);
  const { read, browse } = asking.limits;
  const perRequest = Math.max(1, Math.min(MOST_NODES_PER_REQUEST, browse, Math.floor(read / ATTRIBUTES.length)));
  for (let from = 0; from < ids.length; from += perRequest) {
    const part = ids.slice(from, from + perRequest);
    const attributes = await readAttributes(asking, part);
    const properties = await readProperties(asking, part);
    for (const [index, nodeId] of part.entries()) {
      const first = index * ATTRIBUTES.length;
      const [description, dataType, accessLevel, rank] = attributes.slice(first, first + ATTRIBUTES.length);
      const builtIn = await typeNames.of(nodeId, dataType);
      facts.set(nodeId, {
        description,
        type: builtIn === undefined ? undefined : (TYPES[builtIn] ?? TEXT_TYPE),
        hasHistory: (Number(accessLevel?.value?.value ?? 0) & HISTORY_READ) !== 0,
        isList: rank?.statusCode.isGood() === true && Number(rank.value?.value) >= 0,
        isStructure: builtIn === STRUCTURE_TYPE,
        known: properties.get(nodeId) ?? {},
      });
    }
  }
  return facts;
}

function readAttributes({ session, client }: Asking, ids: readonly string[]) {
  return session.read(
    ids.flatMap((nodeId) => ATTRIBUTES.map((name) => ({ nodeId, attributeId: client.AttributeIds[name] }))),
  );
}

type Properties = Partial<Record<Property, unknown>>;

async function readProperties(
  { session, client, limits }: Asking,
  ids: readonly string[],
): Promise<Map<string, Properties>> {
  const answers = await session.browse(
    ids.map((nodeId) => ({
      nodeId,
      browseDirection: client.BrowseDirection.Forward,
      referenceTypeId: 'HasProperty',
      includeSubtypes: true,
      nodeClassMask: client.NodeClass.Variable,
      resultMask: 63,
    })),
  );
  const wanted = ids.flatMap((nodeId, index) =>
    (answers[index]?.references ?? []).flatMap((reference) => {
      const name = PROPERTIES.find((property) => property === reference.browseName.name);
      return name === undefined ? [] : [{ owner: nodeId, name, nodeId: reference.nodeId.toString() }];
    }),
  );
  const values: DataValue[] = [];
  for (let from = 0; from < wanted.length; from += limits.read) {
    const part = wanted.slice(from, from + limits.read);
    const asked = part.map(({ nodeId }) => ({ nodeId, attributeId: client.AttributeIds.Value }));
    const answered = await session.read(asked);
    values.push(...part.map((_, index) => answered[index] as DataValue));
  }
  const byOwner = new Map<string, Properties>();
  for (const [index, { owner, name }] of wanted.entries()) {
    const value = values[index];
    if (value?.statusCode.isGood()) byOwner.set(owner, { ...byOwner.get(owner), [name]: value.value.value });
  }
  return byOwner;
}

/** Built-in types by types of data, each asked for once. */
class TypeNames {
  readonly #asking: Asking;
  readonly #known = new Map<string, string | undefined>();

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Undefined for a type that the server does not describe: the first value decides. */
  async of(nodeId: string, dataType: DataValue | undefined): Promise<string | undefined> {
    const id = dataType?.statusCode.isGood() ? dataType.value.value : undefined;
    if (id === undefined || id === null) return undefined;
    const key = String(id);
    if (this.#known.has(key)) return this.#known.get(key);
    const { session, client } = this.#asking;
    const builtIn = await session.getBuiltInDataType(client.resolveNodeId(nodeId)).catch(() => undefined);
    const type = builtIn === undefined ? undefined : client.DataType[builtIn];
    this.#known.set(key, type);
    return type;
  }
}

function tagOf({ tag, nodeId, part }: FoundNode, fact: VariableFacts | undefined): TagObject {
  const { description, type, known = {}, isStructure = false } = fact ?? {};
  const told = description?.statusCode.isGood() ? String(description.value?.value?.text ?? '') : '';
  const text = told.slice(0, MOST_TEXT_CHARS);
  const units = unitsOf(known);
  return {
    n: tag,
    // The fields of a structure have types of their own: the first value decides.
    ...(type === undefined || isStructure ? {} : { t: type }),
    ...(text === '' ? {} : { d: text }),
    ...(units === undefined ? {} : { u: units }),
    fl: { opcNodeId: nodeId, ...(part === undefined ? {} : { opcPart: part.text }) },
  };
}

function unitsOf({ EngineeringUnits, EnumStrings }: Properties): Record<string, string> | undefined {
  if (Array.isArray(EnumStrings)) {
    const states = EnumStrings.slice(0, MOST_STATES) as { readonly text?: string }[];
    return Object.fromEntries(
      states.map((state, index) => [String(index), String(state?.text ?? '').slice(0, MOST_TEXT_CHARS)]),
    );
  }
  const name = (EngineeringUnits as { displayName?: { text?: string } } | undefined)?.displayName?.text;
  return name ? { '1': String(name).slice(0, MOST_TEXT_CHARS) } : undefined;
}

function spanOf(range: unknown): number | undefined {
  const { low, high } = (range ?? {}) as { low?: unknown; high?: unknown };
  return typeof low === 'number' && typeof high === 'number' && high > low ? high - low : undefined;
}
