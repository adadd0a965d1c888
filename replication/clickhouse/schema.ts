// The tables of the centre, for clusters and single servers, and for servers of before and after codecs.

import { WEEK_TICKS } from './ticks.ts';

export interface TableStyle {
  readonly database: string;
  /** Name of the cluster; undefined for a server on its own. */
  readonly cluster: string | undefined;
  /** Whether the server knows codecs of columns, and syncs after inserts. */
  readonly isModern: boolean;
}

/** The first version with codecs that are safe to use. */
const FIRST_MODERN = 20;

export function isModernVersion(version: string): boolean {
  return Number(version.split('.')[0]) >= FIRST_MODERN;
}

/** The table in which all points are read. */
export function pointsTable({ database, cluster }: TableStyle): string {
  return `${database}.${cluster === undefined ? 'points_local' : 'points'}`;
}

/** The table in which the newest points of tags are read, to be merged. */
export function tipsTable({ database, cluster }: TableStyle): string {
  return `${database}.${cluster === undefined ? 'tips_local' : 'tips'}`;
}

/** What makes missing tables on one server, in order. */
export function statements(style: TableStyle): string[] {
  const { database, cluster } = style;
  const made = [
    `CREATE DATABASE IF NOT EXISTS ${database}`,
    documentsTable(style, 'datasets', 'name String, identity String', '(name, identity)'),
    documentsTable(style, 'tags', 'dataset UInt64, tag UInt64', '(dataset, tag)'),
    points(style),
    tips(style),
  ];
  if (cluster === undefined) return made;
  const distributed = (name: string): string =>
    `CREATE TABLE IF NOT EXISTS ${database}.${name} AS ${database}.${name}_local ENGINE = Distributed(${cluster}, ${database}, ${name}_local, rand())`;
  return [...made, distributed('points'), distributed('tips')];
}

/** Every server has all documents: they are few. */
function documentsTable({ database, cluster }: TableStyle, name: string, keys: string, order: string): string {
  const engine =
    cluster === undefined
      ? 'ReplacingMergeTree(revision)'
      : `ReplicatedReplacingMergeTree('/clickhouse/${database}/all/${name}', '{shard}-{replica}', revision)`;
  return `CREATE TABLE IF NOT EXISTS ${database}.${name} (${keys}, revision UInt64, document String) ENGINE = ${engine} PARTITION BY tuple() ORDER BY ${order}`;
}

function points(style: TableStyle): string {
  const { database, isModern } = style;
  const engine = engineOf(style, 'points', 'ReplacingMergeTree');
  const place = `PARTITION BY (dataset, intDiv(time, ${WEEK_TICKS})) ORDER BY (dataset, tag, time, ordinal)`;
  return `CREATE TABLE IF NOT EXISTS ${database}.points_local (${pointColumns(isModern)}) ENGINE = ${engine} ${place}${synced(isModern)}`;
}

/**
 * The point with the largest ordinal of each tag: what a read of newest points would have to look for in all weeks. Written like
 * points, not by a view: what a view has missed when an insert failed half done, no other insert would bring.
 */
function tips(style: TableStyle): string {
  const { database, isModern } = style;
  const engine = engineOf(style, 'tips', 'ReplacingMergeTree', 'ordinal');
  return `CREATE TABLE IF NOT EXISTS ${database}.tips_local (${pointColumns(isModern)}) ENGINE = ${engine} PARTITION BY tuple() ORDER BY (dataset, tag)${synced(isModern)}`;
}

function pointColumns(isModern: boolean): string {
  const codec = (text: string): string => (isModern ? ` CODEC(${text})` : '');
  return [
    `dataset UInt64${codec('ZSTD(1)')}`,
    `tag UInt64${codec('Delta(8), ZSTD(1)')}`,
    `time Int64${codec('DoubleDelta, ZSTD(1)')}`,
    `ordinal UInt64${codec('DoubleDelta, ZSTD(1)')}`,
    `type UInt8${codec('ZSTD(1)')}`,
    `isnull UInt8${codec('ZSTD(1)')}`,
    `num Float64${codec('ZSTD(1)')}`,
    `whole Int64${codec('Delta(8), ZSTD(1)')}`,
    `text String${codec('ZSTD(1)')}`,
    `quality Int32${codec('T64, ZSTD(1)')}`,
  ].join(', ');
}

function synced(isModern: boolean): string {
  return isModern ? ' SETTINGS fsync_after_insert = 1, fsync_part_directory = 1' : '';
}

function engineOf({ database, cluster }: TableStyle, name: string, kind: string, version?: string): string {
  if (cluster === undefined) return `${kind}(${version ?? ''})`;
  const place = `'/clickhouse/${database}/{shard}/${name}', '{replica}'`;
  return `Replicated${kind}(${place}${version === undefined ? '' : `, ${version}`})`;
}
