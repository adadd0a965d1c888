// Averages by time in DuckDB, as a process of its own: takes the points of a dataset from a server, then computes once for each
// line that comes in, and prints a line of JSON. DuckDB is where `scripts/install-peers.sh` has put it.

import { createInterface } from 'node:readline';
import { connectDuckDb, type DuckDbAnswer, type DuckDbJob } from '../support/duckdb.ts';

const TAGS_A_READ = 50;

const job = JSON.parse(process.argv[2] ?? '') as DuckDbJob;
const connection = await connectDuckDb(':memory:');
await connection.run('create table points (tag integer, t integer, v double)');
await takePoints();
console.log('ready');
for await (const _line of createInterface({ input: process.stdin })) console.log(JSON.stringify(await compute()));

/** Times as ms from the start. */
async function takePoints(): Promise<void> {
  const { url, tags, startMs, endMs } = job;
  const appender = await connection.createAppender('points');
  for (let from = 0; from < tags.length; from += TAGS_A_READ) {
    const asked = {
      tagname: tags.slice(from, from + TAGS_A_READ),
      unixStart: startMs - 1000,
      unixEnd: endMs,
      format: 'columns',
    };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/datasets/plant/read`, {
      method: 'POST',
      headers,
      body: JSON.stringify(asked),
    });
    const { tl } = (await answer.json()) as { tl: { d: { t: number[]; v: number[] } }[] };
    for (const [i, { d }] of tl.entries()) {
      for (const [k, time] of d.t.entries()) {
        appender.appendInteger(from + i);
        appender.appendInteger(time - startMs);
        appender.appendDouble(d.v[k] as number);
        appender.endRow();
      }
    }
    appender.flushSync();
  }
  appender.closeSync();
}

/**
 * On the line between points that follow each other, which are so near that they lie in two intervals at most; without the last
 * interval, behind whose last point the answers differ.
 */
async function compute(): Promise<DuckDbAnswer> {
  const { intervalMs, startMs, endMs } = job;
  const intervals = (endMs - startMs) / intervalMs - 1;
  const before = process.cpuUsage();
  const startedMs = performance.now();
  const rows = await connection.runAndReadAll(`
    with s as (
      select tag, t, v, lead(t) over w as t2, lead(v) over w as v2
      from points window w as (partition by tag order by t)
    ), k as (
      select *, floor(t / ${intervalMs}.0)::integer as a, floor(t2 / ${intervalMs}.0)::integer as b from s where t2 is not null
    ), parts as (
      select tag, a as n, case when a = b then t2 else b * ${intervalMs} end - t as ms,
        (v + case when a = b then v2 else v + (v2 - v) * (b * ${intervalMs} - t) / (t2 - t) end) / 2 as mean from k
      union all
      select tag, b, t2 - b * ${intervalMs}, (v2 + v + (v2 - v) * (b * ${intervalMs} - t) / (t2 - t)) / 2 from k where b > a
    ), averages as (
      select tag, n, sum(mean * ms) / sum(ms) as average from parts where n >= 0 and n < ${intervals} group by tag, n having sum(ms) > 0
    )
    select count(*)::integer, sum(average) from averages`);
  const [count, sum] = rows.getRows()[0] as [number, number];
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - startedMs, cpuSeconds: (user + system) / 1e6, count, sum };
}
