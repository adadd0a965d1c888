// One POST of the streamable HTTP transport, without sessions: its messages go to a server of their own, and the answers to
// them are the answer.

import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Collects the answers to requests, by their ids. */
export class Exchange implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #waiting = new Map<string | number, (answer: JSONRPCMessage) => void>();

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('id' in message) || message.id === undefined || 'method' in message) return; // nobody listens to anything else
    this.#waiting.get(message.id)?.(message);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  /** The answers to those of the messages that want one, in any order. */
  async answer(server: Server, messages: readonly JSONRPCMessage[]): Promise<JSONRPCMessage[]> {
    await server.connect(this);
    const answers = messages.filter(isRequest).map(({ id }) => this.#answerTo(id));
    for (const message of messages) this.onmessage?.(message);
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

function isRequest(message: JSONRPCMessage): message is JSONRPCMessage & { id: string | number } {
  return 'method' in message && 'id' in message && message.id !== undefined;
}
