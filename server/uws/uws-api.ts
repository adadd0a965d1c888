// The little of uWebSockets.js that is used here, as both builds have it. Texts that may hold more than ASCII go to it as
// bytes: some builds write a string of Latin-1 as such, others as UTF-8.

/** Valid until the answer is complete or the client has gone; every call throws afterwards. */
export interface UwsResponse {
  writeStatus(status: string): UwsResponse;
  writeHeader(name: string, value: string | Uint8Array): UwsResponse;
  /** Sends one chunk; false when not all of it went to the kernel. What did not is kept by uWebSockets. */
  write(chunk: Uint8Array): boolean;
  end(body?: Uint8Array, closeConnection?: boolean): UwsResponse;
  endWithoutBody(): UwsResponse;
  /** Takes what the kernel takes of `rest`, of a body of `totalBytes`: `[all of it, the answer is complete]`. */
  tryEnd(rest: Uint8Array, totalBytes: number): [boolean, boolean];
  getWriteOffset(): number;
  close(): UwsResponse;
  pause(): void;
  resume(): void;
  onWritable(handler: (offsetBytes: number) => boolean): UwsResponse;
  onAborted(handler: () => void): UwsResponse;
  /** The chunk is detached after the call. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse;
  getRemoteAddressAsText(): ArrayBuffer;
  cork(callback: () => void): UwsResponse;
  /** Answers 101, and calls `open` of the behaviour before it returns. The response must not be touched afterwards. */
  upgrade(data: UwsSocketData, key: string, protocol: string, extensions: string, context: UwsContext): void;
}

/** What an upgrade has to hand back. */
export type UwsContext = object;

/** What the WebSocket carries for whoever opened it. */
export type UwsSocketData = object;

/** Valid until `close` of the behaviour; every call throws afterwards. */
export interface UwsWebSocket {
  /** 0 when not all of it went to the kernel (what did not is kept), 1 when it did. */
  send(message: Uint8Array, isBinary: boolean, compress: boolean): number;
  /** Bytes that are kept. */
  getBufferedAmount(): number;
  ping(payload: string): number;
  /** Closes at once. Calls `close` of the behaviour before it returns. */
  close(): void;
  /** Calls `close` of the behaviour before it returns. */
  end(code: number, reason: Uint8Array): void;
  cork(callback: () => void): UwsWebSocket;
  getUserData(): UwsSocketData;
}

export interface UwsWebSocketBehavior {
  /** Bytes; a longer message closes the connection. */
  readonly maxPayloadLength: number;
  /** Bytes; 0 for no bound. */
  readonly maxBackpressure: number;
  /** Seconds; 0, or 8 to 960. */
  readonly idleTimeout: number;
  readonly sendPingsAutomatically: boolean;
  /** Only for GET with a Sec-WebSocket-Key of the right length; other requests go to the other handlers. */
  readonly upgrade: (response: UwsResponse, request: UwsRequest, context: UwsContext) => void;
  readonly open: (socket: UwsWebSocket) => void;
  readonly drain: (socket: UwsWebSocket) => void;
  /** The payload is detached after the call. */
  readonly pong: (socket: UwsWebSocket, payload: ArrayBuffer) => void;
  readonly close: (socket: UwsWebSocket) => void;
}

/** Valid only during the call of the handler. */
export interface UwsRequest {
  getUrl(): string;
  getCaseSensitiveMethod(): string;
  getQuery(): string | undefined;
  forEach(callback: (name: string, value: string) => void): void;
}

export type UwsListenSocket = object;

export interface UwsApp {
  ws(pattern: string, behavior: UwsWebSocketBehavior): UwsApp;
  any(pattern: string, handler: (response: UwsResponse, request: UwsRequest) => void): UwsApp;
  /** Idle timeout, also of an unfinished head or body. Only the current build has this call: the older one has 10 s. */
  setIdleTimeout?(seconds: number): unknown;
  listen(host: string, port: number, options: number, callback: (socket: UwsListenSocket | false) => void): UwsApp;
  close(): UwsApp;
}

export interface UwsModule {
  App(): UwsApp;
  us_listen_socket_close(socket: UwsListenSocket): void;
  us_socket_local_port(socket: UwsListenSocket): number;
}
