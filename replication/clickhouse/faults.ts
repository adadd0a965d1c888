// Which failures of ClickHouse go away by themselves.

import { ClickHouseError } from '@clickhouse/client';
import { PassingFailure } from '../sink.ts';

/** Codes of failures that say that the query itself, the access or the tables are wrong. */
const LASTING = new Map([
  ['62', 'the server does not understand the query (is it older than 18.16?)'],
  ['46', 'the server lacks a function (is it older than 18.16?)'],
  ['47', 'a table there has other columns than this version makes'],
  ['16', 'a table there has other columns than this version makes'],
  ['192', 'there is no such user'],
  ['193', 'the password is wrong'],
  ['194', 'a password is needed'],
  ['516', 'user or password is wrong'],
  ['497', 'the user lacks rights: it must create and insert'],
  ['164', 'the user may only read'],
]);

/** There is no such table or database. */
const MISSING_TABLE = new Set(['60', '81']);

const REPLICA_EXISTS = '253';

/** The code of an error of the server. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof ClickHouseError) return error.code;
  return /Code: (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
}

/** The path in ZooKeeper of the replica that is there already, when that is why a table cannot be made. */
export function existingReplica(error: unknown): string | undefined {
  if (codeOf(error) !== REPLICA_EXISTS) return undefined;
  return /Replica (\/[^\s']+\/replicas\/[^\s']+?) already exists/.exec((error as Error).message)?.[1];
}

export function isMissingTable(error: unknown): boolean {
  return MISSING_TABLE.has(codeOf(error) ?? '');
}

/** The error with its place, as one that passes or one that lasts. */
export function toFailure(error: unknown, url: string): Error {
  if (error instanceof PassingFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  const why = code === undefined ? undefined : LASTING.get(code);
  const short = message.length > 500 ? `${message.slice(0, 500)}…` : message;
  if (why !== undefined) return new Error(`${url}: ${why}: ${short}`, { cause: error });
  return new PassingFailure(`${url}: ${code === undefined ? '' : `code ${code}: `}${short}`, { cause: error });
}
