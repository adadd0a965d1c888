// The little of uWebSockets.js that is used here, as its binary for Node 20 has it. Its own type file describes a later
// state in some places and leaves out the exclusive `listen`.

/** Valid until the answer is complete or the client has gone; every call throws afterwards. */
export interface UwsResponse {
  writeStatus(status: string): UwsResponse;
  writeHeader(name: string, value: string | Uint8Array): UwsResponse;
  /** Sends one chunk; false when not all of it went to the kernel. What did not is kept by uWebSockets. */
  write(chunk: Uint8Array): boolean;
  end(body?: Uint8Array | string, closeConnection?: boolean): UwsResponse;
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
  any(pattern: string, handler: (response: UwsResponse, request: UwsRequest) => void): UwsApp;
  listen(host: string, port: number, options: number, callback: (socket: UwsListenSocket | false) => void): UwsApp;
  close(): UwsApp;
}

export interface UwsModule {
  App(): UwsApp;
  /** Throws when the files are not good. */
  SSLApp(options: { readonly key_file_name: string; readonly cert_file_name: string }): UwsApp;
  us_listen_socket_close(socket: UwsListenSocket): void;
  us_socket_local_port(socket: UwsListenSocket): number;
}
