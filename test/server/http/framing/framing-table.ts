// The table of framings: bytes on a connection that have one reading, several or none, sent to a server that runs as a
// process of its own. Nothing that must be refused runs, and nothing behind what is refused; over node:http everything is
// answered. Over uWebSockets some get no answer (docs/operations.md): the table counts them.
//
// Command: npm run campaign framing -- [--transport uws|node] [--only <part of a title>] [--extent slice|full]
// [--port <of a server without tokens that runs already>]; with --only each case is told.

import { setTimeout as delay } from 'node:timers/promises';
import type { TransportName } from '../../../../server/transport.ts';
import { type Extent, parseExtent, parseOptions, parseTransports } from '../../../support/campaign.ts';
import { HttpClient } from '../../../support/http-client.ts';
import { TargetProcess } from '../../attack/target-process.ts';
import { chunkCases } from '../support/chunk-cases.ts';
import { RawClient } from '../support/raw-client.ts';
import { fieldCases } from './field-cases.ts';
import { BODY, type FramingCase } from './framing-case.ts';
import { lengthCases } from './length-cases.ts';
import { lineCases } from './line-cases.ts';
import { sequenceCases } from './sequence-cases.ts';

const DATASET = '/api/datasets/Framing';
const SECOND_BODY = '[{"v":1}]';
/**
 * Silence that lasts longer than the time after which each front end closes. A slice does not wait for its end, but until a
 * write on another connection is answered: what can be answered is by then, however busy the machine is.
 */
const SILENCE_MS: Readonly<Record<Extent, number>> = { slice: 700, full: 14_000 };
/** For another answer, and for what must not run. */
const LINGER_MS = 150;
const SEGMENT_MS = 50;
const AT_ONCE = 16;

/** Chunked bodies that come to their end; behind a broken one is another request. */
function chunked(): FramingCase[] {
  const listed = chunkCases(BODY, 'x'.repeat(20));
  return listed.flatMap(({ title, kind }, at) => {
    if (kind === 'cut') return [];
    const pieces: FramingCase['pieces'] = ({ host, path, second }) => {
      const found = chunkCases(BODY, second)[at];
      const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const [first = '', ...others] = found?.pieces ?? [];
      const behind = kind === 'broken' && found?.hidesSecond === false ? [second] : [];
      return [head + first, ...others, ...behind];
    };
    return [{ title: `chunks: ${title}`, meaning: 'open', answers: 1, second: 'never', pieces }];
  });
}

export const FRAMINGS: readonly FramingCase[] = [
  ...lineCases,
  ...fieldCases,
  ...lengthCases,
  ...sequenceCases,
  ...chunked(),
];

/** What became of a case. */
export interface FramingRow {
  readonly title: string;
  /** Statuses of the final answers. */
  readonly statuses: readonly number[];
  readonly isClosed: boolean;
  /** What ran that must not, or was told otherwise than it went. */
  readonly faults: readonly string[];
  /** It is not all answered that a server may be expected to answer. */
  readonly isSilent: boolean;
  /** Something ran, and nobody was told. */
  readonly ranUntold: boolean;
}

export interface TableOptions {
  readonly port: number;
  readonly extent: Extent;
  readonly cases: readonly FramingCase[];
}

export async function runFramingTable({ port, extent, cases }: TableOptions): Promise<FramingRow[]> {
  const http = new HttpClient(`http://127.0.0.1:${port}`);
  const rows: FramingRow[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < cases.length; at = next++)
      rows[at] = await runCase(cases[at] as FramingCase, { http, port, at, silenceMs: SILENCE_MS[extent] });
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    http.close();
  }
  return rows;
}

interface CaseContext {
  readonly http: HttpClient;
  readonly port: number;
  readonly at: number;
  readonly silenceMs: number;
}

async function runCase(framing: FramingCase, { http, port, at, silenceMs }: CaseContext): Promise<FramingRow> {
  const host = `127.0.0.1:${port}`;
  const [first, second] = [`First${at}`, `Second${at}`];
  const secondText =
    `POST ${DATASET}/data/${second} HTTP/1.1\r\nHost: ${host}\r\n` +
    `Content-Length: ${SECOND_BODY.length}\r\n\r\n${SECOND_BODY}`;
  const pieces = framing.pieces({ host, path: `${DATASET}/data/${first}`, second: secondText });
  const untilOthersAreServed = async (): Promise<void> => {
    const { status } = await http.post(`${DATASET}/data/Other`, [{ v: 1 }]);
    if (status !== 200) throw new Error(`a write beside the case was answered with ${status}`);
  };
  const talk = { port, pieces, answers: framing.answers, silenceMs, untilOthersAreServed };
  const { statuses, isClosed } = await converse(talk);
  const ranFirst = await hasTag(http, first);
  const ranSecond = await hasTag(http, second);
  const ran = Number(ranFirst) + Number(ranSecond);
  const successes = statuses.filter((status) => status < 400).length;
  const faults: string[] = [];
  if (framing.meaning === 'faulty' && ranFirst) faults.push('it ran');
  if (framing.second === 'never' && ranSecond) faults.push('what is behind it ran');
  if (framing.meaning === 'faulty' && successes > 0) faults.push('it was answered with success');
  const { title } = framing;
  const isSilent = statuses.length === 0 || (framing.meaning === 'proper' && successes < framing.answers);
  return { title, statuses, isClosed, faults, isSilent, ranUntold: ran > successes };
}

interface Talk {
  readonly port: number;
  readonly pieces: readonly string[];
  readonly answers: number;
  readonly silenceMs: number;
  readonly untilOthersAreServed: () => Promise<void>;
}

/** Sends the pieces, and listens until all is answered and a while longer, or nothing comes any more. */
async function converse(talk: Talk): Promise<Pick<FramingRow, 'statuses' | 'isClosed'>> {
  const { port, pieces, answers, silenceMs } = talk;
  const client = await RawClient.open(port);
  const statuses = (): number[] =>
    [...client.received.toString('latin1').matchAll(/HTTP\/1\.1 ([2-5]\d\d) /g)].map(([, status]) => Number(status));
  try {
    const segments = pieces.map((piece) => Buffer.from(piece, 'latin1'));
    if (segments.length === 1) client.send(...segments);
    else await client.sendSlowly(segments, segments.length > 20 ? 1 : SEGMENT_MS);
    const isSettled = (): boolean => client.isClosed || statuses().length >= answers;
    await client.until(isSettled, silenceMs).catch(() => {});
    if (!isSettled()) await talk.untilOthersAreServed();
    await Promise.race([client.closed, delay(LINGER_MS)]);
    return { statuses: statuses(), isClosed: client.isClosed };
  } finally {
    client.destroy();
  }
}

async function hasTag(http: HttpClient, tag: string): Promise<boolean> {
  const { status, text } = await http.get(`${DATASET}/tags/${tag}`);
  if (status !== 200 && status !== 404) throw new Error(`looking for a tag was answered with ${status}: ${text}`);
  return status === 200;
}

export function formatRow({ title, statuses, isClosed, faults, ranUntold }: FramingRow): string {
  const answered = statuses.length === 0 ? 'no answer' : statuses.join(' ');
  const told = [...faults, ...(ranUntold ? ['what ran was not told'] : [])];
  return `${title}: ${answered}${isClosed ? ', closed' : ''}${told.length === 0 ? '' : `; ${told.join('; ')}`}`;
}

function report(name: string, rows: readonly FramingRow[], isTold: boolean): void {
  const faulty = rows.filter(({ faults }) => faults.length > 0);
  const untold = rows.filter(({ ranUntold }) => ranUntold);
  const unanswered = rows.filter(({ statuses }) => statuses.length === 0);
  const silent = rows.filter(({ isSilent }) => isSilent);
  for (const row of isTold ? rows : new Set([...faulty, ...untold, ...silent])) console.log(`  ${formatRow(row)}`);
  console.log(
    `${name}: ${rows.length} cases; ran or taken that must not: ${faulty.length}; ran without being told: ${untold.length}; ` +
      `without any answer: ${unanswered.length}; not all answered that is proper: ${silent.length - unanswered.length}`,
  );
  if (faulty.length > 0 || (name === 'node' && silent.length + untold.length > 0)) process.exitCode = 1;
}

/** Over a server of its own. */
export async function runOn(transport: TransportName, options: Omit<TableOptions, 'port'>): Promise<FramingRow[]> {
  const target = await TargetProcess.start(transport, 10_000);
  try {
    return await runFramingTable({ port: target.port, ...options });
  } finally {
    await target.stop();
  }
}

async function main(): Promise<void> {
  const { transport: named, only = '', extent: amount, port } = parseOptions(['transport', 'only', 'extent', 'port']);
  const cases = FRAMINGS.filter(({ title }) => title.includes(only));
  const options = { extent: parseExtent(amount), cases };
  if (port !== undefined)
    report(`port ${port}`, await runFramingTable({ port: Number(port), ...options }), only !== '');
  else for (const transport of parseTransports(named)) report(transport, await runOn(transport, options), only !== '');
}

if (process.argv[1] === import.meta.filename) await main();
