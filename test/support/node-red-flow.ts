// Runs a Node-RED flow of inject, function, http request and debug nodes, as far as the example needs them.

import { runInNewContext } from 'node:vm';

export interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly wires?: readonly (readonly string[])[];
  /** Source of a function. */
  readonly func?: string;
  /** Method of an http request. */
  readonly method?: string;
  readonly url?: string;
  readonly ret?: string;
  readonly headers?: readonly { readonly keyValue: string; readonly valueValue: string }[];
}

interface Message {
  payload: unknown;
  statusCode?: number;
}

const FETCH_LIMIT_MS = 60_000;

/** Gives what the debug nodes behind this inject node show, by their names; addresses are changed by `redirect`. */
export async function runFlow(
  flow: readonly FlowNode[],
  injectId: string,
  redirect: (url: string) => string,
): Promise<Map<string, unknown>> {
  const nodes = new Map(flow.map((node) => [node.id, node]));
  const shown = new Map<string, unknown>();
  let wave: [FlowNode, Message][] = [[findNode(nodes, injectId), { payload: Date.now() }]];
  for (let step = 0; wave.length > 0; step++) {
    if (step > flow.length) throw new Error('the flow runs in a circle');
    const next: [FlowNode, Message][] = [];
    for (const [node, message] of wave) {
      if (node.type === 'debug') shown.set(node.name ?? node.id, message.payload);
      const result = await runNode(node, message, redirect);
      if (result === null) continue;
      for (const id of node.wires?.flat() ?? []) next.push([findNode(nodes, id), { ...result }]);
    }
    wave = next;
  }
  return shown;
}

function findNode(nodes: ReadonlyMap<string, FlowNode>, id: string): FlowNode {
  const node = nodes.get(id);
  if (node === undefined) throw new Error(`there is no node ${id}`);
  return node;
}

async function runNode(node: FlowNode, message: Message, redirect: (url: string) => string): Promise<Message | null> {
  switch (node.type) {
    case 'inject':
    case 'debug':
      return message;
    case 'function':
      return callFunction(node, message);
    case 'http request':
      return sendRequest(node, message, redirect);
    default:
      throw new Error(`a node of type '${node.type}' cannot be run`);
  }
}

function callFunction({ func = '' }: FlowNode, message: Message): Message | null {
  const reports = {
    error: (text: string) => {
      throw new Error(text);
    },
  };
  const body = runInNewContext(`(function (msg, node) {${func}\n})`) as (msg: Message, node: object) => Message | null;
  return body(message, reports);
}

/** A payload goes into the body of a method that has one, as JSON when it is an object. */
async function sendRequest(node: FlowNode, message: Message, redirect: (url: string) => string): Promise<Message> {
  const { method = 'GET', url = '', ret, headers = [] } = node;
  const sends = method !== 'GET' && typeof message.payload === 'object';
  const answer = await fetch(redirect(url), {
    method,
    headers: {
      ...(sends ? { 'content-type': 'application/json' } : {}),
      ...Object.fromEntries(headers.map(({ keyValue, valueValue }) => [keyValue, valueValue])),
    },
    body: sends ? JSON.stringify(message.payload) : null,
    signal: AbortSignal.timeout(FETCH_LIMIT_MS),
  });
  return { payload: ret === 'obj' ? await answer.json() : await answer.text(), statusCode: answer.status };
}
