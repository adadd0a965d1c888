// One POST of the streamable HTTP transport, without sessions: its messages go to a server of their own, and the answers to
// them are the answer.

import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolErrorCode,
  type Server,
  specTypeSchemas,
  type Transport,
} from '@modelcontextprotocol/server';

/** The form of requests, by their methods; others have no parameters that must be there. */
const FORMS = {
  initialize: specTypeSchemas.InitializeRequest,
  'tools/call': specTypeSchemas.CallToolRequest,
  'tools/list': specTypeSchemas.ListToolsRequest,
  'resources/list': specTypeSchemas.ListResourcesRequest,
  'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
  'resources/read': specTypeSchemas.ReadResourceRequest,
  'prompts/list': specTypeSchemas.ListPromptsRequest,
  'prompts/get': specTypeSchemas.GetPromptRequest,
} as const;

/** Collects the answers to requests, by their ids. */
export class PostTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #waiting = new Map<string | number, (answer: JSONRPCMessage) => void>();

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('id' in message) || message.id === undefined || 'method' in message) return; // nobody listens to anything else
    this.#waiting.get(message.id)?.(withOwnCode(message));
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  /** The answers to those of the messages that want one, in any order. */
  async answer(server: Server, messages: readonly JSONRPCMessage[]): Promise<JSONRPCMessage[]> {
    await server.connect(this);
    const answers: (JSONRPCMessage | Promise<JSONRPCMessage>)[] = [];
    const sound: JSONRPCMessage[] = [];
    for (const message of messages) {
      const fault = isRequest(message) ? faultIn(message) : undefined;
      if (fault !== undefined) {
        answers.push(fault);
        continue;
      }
      if (isRequest(message)) answers.push(this.#answerTo(message.id));
      sound.push(message);
    }
    for (const message of sound) this.onmessage?.(message);
    const given = await Promise.all(answers);
    await server.close();
    return given;
  }

  #answerTo(id: string | number): Promise<JSONRPCMessage> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
    });
  }
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message && message.id !== undefined;
}

/**
 * With -32002 for a resource that is not there, as the versions of the protocol that are spoken here have it. The package knows
 * the next version and has its code, that of wrong parameters, in all.
 */
function withOwnCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== ProtocolErrorCode.InvalidParams) return message;
  const data = message.error.data as { readonly uri?: unknown } | undefined;
  if (data?.uri === undefined) return message;
  return { ...message, error: { ...message.error, code: ProtocolErrorCode.ResourceNotFound } };
}

/** The error for a request whose parameters have another form than its method wants. */
function faultIn(request: JSONRPCRequest): JSONRPCMessage | undefined {
  const { id, method, params } = request;
  const form = Object.hasOwn(FORMS, method) ? FORMS[method as keyof typeof FORMS] : undefined;
  const checked = form?.['~standard'].validate({ method, params });
  if (checked === undefined || checked instanceof Promise || checked.issues === undefined) return undefined;
  const faults = checked.issues.map(({ path = [], message }) => `${path.join('.')}: ${message}`);
  return {
    jsonrpc: '2.0',
    id,
    error: { code: ProtocolErrorCode.InvalidParams, message: `Wrong parameters of '${method}'. ${faults.join('; ')}` },
  };
}
