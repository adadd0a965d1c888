// Files in a bucket of S3, or of a store that speaks like it. The client is loaded when it is needed: it is large.

import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import type { ObjectStore } from './object-store.ts';
import { isMissing, toS3Failure } from './s3-faults.ts';

export interface S3Options {
  /** URL of a store other than Amazon's; else AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL. */
  readonly endpoint?: string | undefined;
  /** Else AWS_REGION or AWS_DEFAULT_REGION, or us-east-1 where there is an endpoint. */
  readonly region?: string | undefined;
  /** Whether the bucket is in the path of URLs and not in the name of the host; else as AWS_S3_FORCE_PATH_STYLE says, or where there is an endpoint. */
  readonly pathStyle?: boolean | undefined;
  /** Else those that the client finds: in the environment, in files, of the machine. */
  readonly credentials?: S3Credentials | undefined;
  /** Instead of that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Tries of a request, a fraction of a second apart, before it is a failure: one 503 in a while is normal. */
const TRIES = 3;
const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 60_000;

type S3Module = typeof import('@aws-sdk/client-s3');

interface Loaded {
  readonly s3: S3Module;
  readonly client: S3Client;
}

type Request<T> = (loaded: Loaded) => Promise<T>;

export class S3Store implements ObjectStore {
  readonly name: string;
  readonly #bucket: string;
  /** Before all keys: empty, or with a `/` at its end. */
  readonly #prefix: string;
  readonly #options: S3Options;
  #loaded: Promise<Loaded> | undefined;

  /** `prefix` without `/` at its ends. */
  constructor(bucket: string, prefix: string, options: S3Options) {
    this.name = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
    this.#bucket = bucket;
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    this.#options = options;
  }

  /** Asks for one name, so that a wrong bucket or key is told at once. */
  async open(): Promise<void> {
    await this.#ask(async ({ s3, client }) => {
      await client.send(new s3.ListObjectsV2Command({ Bucket: this.#bucket, Prefix: this.#prefix, MaxKeys: 1 }));
    });
  }

  put(path: string, bytes: Uint8Array): Promise<void> {
    return this.#ask(async ({ s3, client }) => {
      await client.send(new s3.PutObjectCommand({ ...this.#place(path), Body: bytes, ContentLength: bytes.length }));
    });
  }

  get(path: string): Promise<Uint8Array | undefined> {
    return this.#askForFile(async ({ s3, client }) => {
      const { Body } = await client.send(new s3.GetObjectCommand(this.#place(path)));
      return Body?.transformToByteArray();
    });
  }

  async has(path: string): Promise<boolean> {
    const head = await this.#askForFile(({ s3, client }) => client.send(new s3.HeadObjectCommand(this.#place(path))));
    return head !== undefined;
  }

  async *names(folder: string): AsyncGenerator<string> {
    const prefix = folder === '' ? this.#prefix : `${this.#prefix}${folder}/`;
    const asked = { Bucket: this.#bucket, Prefix: prefix, Delimiter: '/' };
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const input = token === undefined ? asked : { ...asked, ContinuationToken: token };
      const page = await this.#ask(({ s3, client }) => client.send(new s3.ListObjectsV2Command(input)));
      for (const { Prefix = '' } of page.CommonPrefixes ?? []) yield Prefix.slice(prefix.length);
      for (const { Key = '' } of page.Contents ?? []) if (Key !== prefix) yield Key.slice(prefix.length);
      token = page.NextContinuationToken;
    }
  }

  async close(): Promise<void> {
    const loaded = this.#loaded;
    this.#loaded = undefined;
    (await loaded)?.client.destroy();
  }

  async #ask<T>(request: Request<T>): Promise<T> {
    this.#loaded ??= loadClient(this.#options);
    const loaded = await this.#loaded;
    try {
      return await request(loaded);
    } catch (error) {
      throw toS3Failure(error, this.name);
    }
  }

  /** Undefined when there is no such file. For reading only: a write that finds nothing there has failed. */
  #askForFile<T>(request: Request<T>): Promise<T | undefined> {
    return this.#ask((loaded) =>
      request(loaded).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      }),
    );
  }

  #place(path: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${path}` };
  }
}

async function loadClient(options: S3Options): Promise<Loaded> {
  const s3 = await import('@aws-sdk/client-s3');
  return { s3, client: new s3.S3Client(configurationOf(options)) };
}

function configurationOf(options: S3Options): S3ClientConfig {
  const { credentials, environment = process.env } = options;
  const endpoint = options.endpoint ?? environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL;
  const known = options.region ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  const region = known ?? (endpoint === undefined ? undefined : 'us-east-1');
  const pathStyle = options.pathStyle ?? flagOf(environment.AWS_S3_FORCE_PATH_STYLE) ?? endpoint !== undefined;
  return {
    maxAttempts: TRIES,
    forcePathStyle: pathStyle,
    // Not only a warning: a request that hangs would hold the copy for ever.
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
    ...(region === undefined ? {} : { region }),
    // Other stores may refuse the newer checksums of Amazon; the signature has one of the body all the same.
    ...(endpoint === undefined ? {} : { endpoint, requestChecksumCalculation: 'WHEN_REQUIRED' as const }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}

function flagOf(text: string | undefined): boolean | undefined {
  if (text === undefined || text === '') return undefined;
  return text === '1' || text.toLowerCase() === 'true';
}
