// The sink of an address.

import { parseAddress } from './clickhouse/address.ts';
import type { Sink } from './sink.ts';
import { parseVarveAddress } from './varve/http/address.ts';

/** What stands beside the address. */
export interface SinkSecrets {
  /** Password of the user at ClickHouse; the token at another Varve. */
  readonly password: string | undefined;
}

const FORMS = /^(clickhouses?|parquet|s3|varves?):\/\//;

/** Throws an error that says what is wrong with the address, as far as that can be told at once. */
export function checkSinkAddress(address: string, { password }: SinkSecrets): void {
  const [, form] = FORMS.exec(address) ?? [];
  if (form === undefined)
    throw new Error('want an address that begins with clickhouse://, varve://, parquet:// or s3://.');
  if (form.startsWith('clickhouse')) parseAddress(address, password);
  if (form.startsWith('varve')) parseVarveAddress(address, password);
}

/**
 * Does not connect yet. Rejects with an error that says what is wrong with the address. What a sink is made of is loaded only
 * where it is used: the clients of S3 and ClickHouse are large.
 */
export async function openSink(address: string, secrets: SinkSecrets): Promise<Sink> {
  checkSinkAddress(address, secrets);
  if (address.startsWith('clickhouse')) {
    const { ClickHouseSink } = await import('./clickhouse/clickhouse-sink.ts');
    return new ClickHouseSink(parseAddress(address, secrets.password));
  }
  if (address.startsWith('varve')) {
    const { VarveSink } = await import('./varve/varve-sink.ts');
    return new VarveSink(parseVarveAddress(address, secrets.password));
  }
  const { openParquetSink } = await import('./parquet/open-parquet-sink.ts');
  return openParquetSink(address);
}

/** Loads the packages that a sink of the address needs; rejects when one is not installed. */
export async function loadSink(address: string): Promise<void> {
  if (address.startsWith('clickhouse')) await import('./clickhouse/clickhouse-sink.ts');
  if (/^(parquet|s3):/.test(address)) await import('./parquet/open-parquet-sink.ts');
  if (address.startsWith('s3')) await import('@aws-sdk/client-s3');
}
