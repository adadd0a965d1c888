// DuckDB as a process of its own that runs the statements it was given on a database, and prints the rows of the last one.

import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What is used of DuckDB's package. */
interface DuckDb {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
}
interface Connection {
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
}

const FOLDER = fileURLToPath(new URL('../../.engines/duckdb', import.meta.url));
const { database, statements } = JSON.parse(process.argv[2] ?? '') as { database: string; statements: string[] };
const path = createRequire(`${FOLDER}/package.json`).resolve('@duckdb/node-api');
const { DuckDBInstance } = (await import(pathToFileURL(path).href)) as DuckDb;
const connection = await (await DuckDBInstance.create(database)).connect();
let rows: unknown[][] = [];
for (const sql of statements) rows = (await connection.runAndReadAll(sql)).getRows();
console.log(rows.map((row) => row.join(' ')).join('\n'));
