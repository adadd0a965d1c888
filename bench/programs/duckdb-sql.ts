// DuckDB as a process of its own that runs the statements it was given on a database, and prints the rows of the last one.

import { connectDuckDb } from '../support/duckdb.ts';

const { database, statements } = JSON.parse(process.argv[2] ?? '') as { database: string; statements: string[] };
const connection = await connectDuckDb(database);
let rows: unknown[][] = [];
for (const sql of statements) rows = (await connection.runAndReadAll(sql)).getRows();
console.log(rows.map((row) => row.join(' ')).join('\n'));
