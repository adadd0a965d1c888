// One server of ClickHouse, over HTTP.

import { Readable } from 'node:stream';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import type { ClickHouseAddress } from './address.ts';
import { toFailure } from './faults.ts';

/** Longer than a quorum insert may wait. */
const REQUEST_TIMEOUT_MS = 120_000;
const PING_TIMEOUT_MS = 3_000;

export type QuerySettings = Readonly<Record<string, string | number>>;

export class ClickHouseServer {
  readonly url: string;
  readonly #client: ClickHouseClient;

  constructor(url: string, { user, password }: ClickHouseAddress) {
    this.url = url;
    this.#client = createClient({
      url,
      username: user,
      password,
      request_timeout: REQUEST_TIMEOUT_MS,
      max_open_connections: 64,
      keep_alive: { enabled: true, idle_socket_ttl: 2_500 },
      // Faults are told by whoever asked.
      log: { level: 127 },
    });
  }

  /** Whether it answers. */
  async isUp(): Promise<boolean> {
    const answered = this.#client.ping().then(({ success }) => success);
    const late = new Promise<boolean>((resolve) => void setTimeout(resolve, PING_TIMEOUT_MS, false).unref());
    return Promise.race([answered, late]);
  }

  /** Rejects with PassingFailure, or an error that says what is wrong. */
  async run(statement: string, settings: QuerySettings = {}): Promise<void> {
    await this.#asked(() => this.#client.command({ query: statement, clickhouse_settings: settings }));
  }

  /** The rows of a SELECT, as objects. 64-bit numbers are texts, or numbers, by the version of the server. */
  async rows<T>(select: string, settings: QuerySettings = {}): Promise<T[]> {
    return this.#asked(async () => {
      const result = await this.#client.query({ query: select, format: 'JSONEachRow', clickhouse_settings: settings });
      return result.json<T>();
    });
  }

  /** The bytes of a SELECT in RowBinary. */
  async stream(select: string, signal: AbortSignal): Promise<Readable> {
    return this.#asked(async () => {
      const { stream } = await this.#client.exec({ query: `${select} FORMAT RowBinary`, abort_signal: signal });
      return stream;
    });
  }

  /** `into` with table and format. */
  async insert(into: string, body: Buffer, settings: QuerySettings = {}): Promise<void> {
    await this.#asked(async () => {
      const values = Readable.from([body], { objectMode: false });
      const { stream } = await this.#client.exec({
        query: `INSERT INTO ${into}`,
        values,
        clickhouse_settings: settings,
      });
      for await (const _ of stream);
    });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw toFailure(error, this.url);
    }
  }
}
