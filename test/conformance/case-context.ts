// What a case of the conformance suite works with: a server, a dataset name of its own, and extra servers on demand.

import { rmSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { type HttpAnswer, HttpClient } from '../support/http-client.ts';
import { type ServerOptions, ServerProcess, type Transport, temporaryFolder } from '../support/server-process.ts';

/** The servers that the cases of one transport share. */
export class SharedServers {
  readonly transport: Transport;
  private readonly servers = new Map<string, Promise<{ server: ServerProcess; http: HttpClient }>>();

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Starts the server with these flags at the first call. */
  get(flags: readonly string[]): Promise<{ server: ServerProcess; http: HttpClient }> {
    const key = flags.join(' ');
    let found = this.servers.get(key);
    if (found === undefined) {
      found = ServerProcess.start({ transport: this.transport, flags }).then((server) => ({
        server,
        http: new HttpClient(server.url),
      }));
      this.servers.set(key, found);
    }
    return found;
  }

  async stopAll(): Promise<void> {
    for (const started of this.servers.values()) {
      const { server, http } = await started;
      http.close();
      await server.stop();
    }
  }
}

/** What to undo when a case is over, last first. */
interface Cleanups {
  over: boolean;
  readonly callbacks: (() => Promise<void> | void)[];
}

export class CaseContext {
  readonly transport: Transport;
  readonly server: ServerProcess;
  readonly http: HttpClient;
  /** Holds a space, so that every path is percent-encoded. */
  readonly dataset: string;
  private readonly shared: SharedServers;
  private readonly cleanups: Cleanups;

  constructor(
    shared: SharedServers,
    at: { readonly server: ServerProcess; readonly http: HttpClient },
    dataset: string,
    cleanups: Cleanups = { over: false, callbacks: [] },
  ) {
    this.shared = shared;
    this.transport = shared.transport;
    this.server = at.server;
    this.http = at.http;
    this.dataset = dataset;
    this.cleanups = cleanups;
  }

  /** The path of something in the case's dataset; `rest` is already encoded and begins with `/`. */
  path(rest = ''): string {
    return `/api/datasets/${encodeURIComponent(this.dataset)}${rest}`;
  }

  get(rest = '', headers: OutgoingHttpHeaders = {}): Promise<HttpAnswer> {
    return this.http.get(this.path(rest), headers);
  }

  post(rest: string, value?: unknown, headers: OutgoingHttpHeaders = {}): Promise<HttpAnswer> {
    return this.http.post(this.path(rest), value, headers);
  }

  postText(rest: string, text: string, headers: OutgoingHttpHeaders = {}): Promise<HttpAnswer> {
    return this.http.postText(this.path(rest), text, headers);
  }

  delete(rest = '', value?: unknown): Promise<HttpAnswer> {
    return this.http.delete(this.path(rest), value);
  }

  /** The same case with another dataset. */
  withDataset(dataset: string): CaseContext {
    return new CaseContext(this.shared, { server: this.server, http: this.http }, dataset, this.cleanups);
  }

  /** The same case on a server of its own, which is gone when the case is over. */
  async withServer(options: ServerOptions): Promise<CaseContext> {
    const server = await ServerProcess.start({ transport: this.transport, ...options });
    const http = new HttpClient(server.url);
    const end = async (): Promise<void> => {
      http.close();
      await server.kill();
    };
    if (this.cleanups.over) {
      await end();
      throw new Error('the case was over before its server had started');
    }
    this.cleanups.callbacks.push(end);
    return new CaseContext(this.shared, { server, http }, this.dataset, this.cleanups);
  }

  /** The same case on a server with these flags that other cases use, too. */
  async withSharedServer(flags: readonly string[]): Promise<CaseContext> {
    return new CaseContext(this.shared, await this.shared.get(flags), this.dataset, this.cleanups);
  }

  /** A temporary folder that is gone when the case is over. */
  folder(): string {
    const folder = temporaryFolder();
    this.cleanups.callbacks.unshift(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    return folder;
  }

  async cleanUp(): Promise<void> {
    this.cleanups.over = true;
    for (const callback of this.cleanups.callbacks.splice(0).reverse()) await callback();
  }
}
