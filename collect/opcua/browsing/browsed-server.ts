// A server that somebody looks at before it is collected: what it offers, one level of its address space after the other, and present
// values. Everything that comes from it is bounded: it may be any server.

import type { DataValue } from 'node-opcua-client';
import { atMost } from '../../../forward/sleep.ts';
import { formatInstant } from '../../point.ts';
import { toPoint } from '../data-value.ts';
import type { OpcUaLibrary } from '../library.ts';
import { childrenOf, childrenPages, OBJECTS_FOLDER } from '../nodes/children.ts';
import { type OperationLimits, readOperationLimits } from '../nodes/operation-limits.ts';
import type { OpenSession, SessionOpener } from '../session-opener.ts';

export interface EndpointOffer {
  readonly securityPolicy: string;
  readonly securityMode: string;
  /** Ways in which users show who they are, such as `Anonymous` and `UserName`. */
  readonly users: readonly string[];
}

export interface BrowsedNode {
  readonly id: string;
  readonly name: string;
  readonly isVariable: boolean;
  /** JSON, cut where it is long; absent where there is no value. */
  readonly value?: string;
  readonly quality?: number;
  readonly time?: string;
  /** Type of the value as OPC UA calls it. */
  readonly type?: string;
}

export interface BrowsedLevel {
  readonly nodes: readonly BrowsedNode[];
  /** There are more than are told. */
  readonly isCut: boolean;
}

const ANSWER_LIMIT_MS = 10_000;
const CLOSE_LIMIT_MS = 3000;
const MOST_OFFERS = 50;
const MOST_NODES = 1000;
const MOST_PAGES = 50;
const MOST_VALUE_CHARS = 120;

/** What a server offers to anybody who asks. Rejects where it does not answer. */
export async function readOffers({ client }: OpcUaLibrary, endpoint: string): Promise<EndpointOffer[]> {
  const asking = client.OPCUAClient.create({
    applicationName: 'Varve collector',
    endpointMustExist: false,
    defaultTransactionTimeout: ANSWER_LIMIT_MS,
    connectionStrategy: { initialDelay: 100, maxDelay: 200, maxRetry: 0 },
  });
  try {
    const offers = await inTime(asking.connect(endpoint).then(() => asking.getEndpoints()));
    return offers.slice(0, MOST_OFFERS).map(({ securityPolicyUri, securityMode, userIdentityTokens }) => ({
      securityPolicy:
        String(securityPolicyUri ?? '')
          .split('#')
          .at(-1)
          ?.slice(0, MOST_VALUE_CHARS) ?? '',
      securityMode: client.MessageSecurityMode[securityMode] ?? String(securityMode),
      users: [
        ...new Set(
          (userIdentityTokens ?? []).slice(0, MOST_OFFERS).map(({ tokenType }) => client.UserTokenType[tokenType]),
        ),
      ],
    }));
  } finally {
    await atMost(CLOSE_LIMIT_MS, asking.disconnect()).catch(() => undefined);
  }
}

export class BrowsedServer {
  readonly #library: OpcUaLibrary;
  readonly #opener: SessionOpener;
  readonly #open: OpenSession;
  #limits: OperationLimits | undefined;

  private constructor(library: OpcUaLibrary, opener: SessionOpener, open: OpenSession) {
    this.#library = library;
    this.#opener = opener;
    this.#open = open;
  }

  /** Rejects with an error whose message a user understands. */
  static async open(library: OpcUaLibrary, opener: SessionOpener, endpoint: string): Promise<BrowsedServer> {
    return new BrowsedServer(library, opener, await opener.open(endpoint));
  }

  /** What lies directly below a node, the Objects folder unless one is given, with the values of variables. */
  async level(nodeId: string = OBJECTS_FOLDER): Promise<BrowsedLevel> {
    return inTime(this.#level(nodeId));
  }

  close(): Promise<void> {
    return this.#opener.close(this.#open, 'for good');
  }

  async #level(nodeId: string): Promise<BrowsedLevel> {
    const { session } = this.#open;
    const { client } = this.#library;
    this.#limits ??= await readOperationLimits(session, client);
    const nodes = new Map<string, BrowsedNode>();
    const answer = await session.browse(childrenOf(client, nodeId));
    if (!answer.statusCode.isGood()) throw new Error(`${nodeId} cannot be browsed: ${answer.statusCode.name}`);
    let isCut = false;
    let isMore = false;
    for await (const page of childrenPages(session, client, answer, MOST_PAGES)) {
      isMore = page.isMore;
      for (const { nodeId: id, name, isVariable } of page.children) {
        isCut ||= nodes.size >= MOST_NODES;
        if (!isCut) nodes.set(id, { id, name, isVariable });
      }
      if (isCut) break;
    }
    isCut ||= isMore;
    return { nodes: await this.#withValues([...nodes.values()]), isCut };
  }

  async #withValues(nodes: readonly BrowsedNode[]): Promise<BrowsedNode[]> {
    const { session } = this.#open;
    const { AttributeIds } = this.#library.client;
    const variables = nodes.filter(({ isVariable }) => isVariable);
    const values = new Map<string, DataValue | undefined>();
    const { read = variables.length } = this.#limits ?? {};
    for (let from = 0; from < variables.length; from += read) {
      const part = variables.slice(from, from + read);
      const answers = await session.read(part.map(({ id }) => ({ nodeId: id, attributeId: AttributeIds.Value })));
      for (const [index, { id }] of part.entries()) values.set(id, answers[index]);
    }
    return nodes.map((node) => ({ ...node, ...this.#described(values.get(node.id)) }));
  }

  #described(value: DataValue | undefined): Partial<BrowsedNode> {
    if (value === undefined) return {};
    const names = this.#library.client.DataType as unknown as Readonly<Record<number, string>>;
    const type = names[value.value?.dataType ?? 0] ?? 'Null';
    const isList = value.value?.arrayType !== undefined && value.value.arrayType !== 0;
    const point = toPoint(value, names);
    if (point === undefined) return { type };
    const { json, quality } = point;
    return {
      type: isList ? `${type}[]` : type,
      value: json.length > MOST_VALUE_CHARS ? `${json.slice(0, MOST_VALUE_CHARS)}…` : json,
      quality,
      time: formatInstant(point),
    };
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const answer = await atMost(ANSWER_LIMIT_MS, work);
  if (answer === undefined) throw new Error('it does not answer');
  return answer;
}
