// Suite `peers`: W1 and its reads on Varve, on whatever is installed of other engines, and on a plain Node server, round by
// round, each measurement in a process of its own.

import { caseName, PEERS } from '../peers/all-peers.ts';
import type { PeerMeasurement } from '../peers/measure-peer.ts';
import type { Peer, WriteForm } from '../peers/peer.ts';
import { ratiosTo } from '../peers/ratios.ts';
import { runMeasurement } from '../peers/run-measurement.ts';
import { type CaseResult, measured, type RunFigure } from '../report/result.ts';
import type { SuiteRun, TurnCase } from '../suite-run.ts';
import { W1 } from '../workloads/write-load.ts';

const TABLE = 'W1 and reads';
/** What is needed to judge a measurement stands in a table of its own. */
const ABOUT_TABLE = 'how it was measured';
const ABOUT_FIGURES = ['allocated', 'sent', 'client CPU', 'answers checked', 'wrong'];
const INSTALL_COMMAND = 'sudo bash scripts/install-peers.sh';
const LIMIT_MS = 900_000;
/** Peers whose first read form is what the others are compared with. */
const YARDSTICKS = ['plain', 'victoriametrics'] as const;

export async function runPeers(suite: SuiteRun): Promise<void> {
  if (process.platform !== 'linux') throw new Error('processes are measured by /proc, which only Linux has');
  const entries: TurnCase[] = [];
  for (const name of suite.options.peers) {
    const peer = PEERS[name];
    const version = peer.version();
    if (version === undefined) noteAbsent(suite, peer);
    else for (const form of peer.forms) entries.push(entryOf(suite, peer, form, version));
  }
  await suite.measureInTurns(entries);
  const measuredCases = suite.cases.splice(0);
  const results = measuredCases.map((result) => withFigures(result, (name) => !ABOUT_FIGURES.includes(name)));
  const shown = results.filter(({ figures, error }) => figures.length > 0 || error !== undefined);
  suite.cases.push(...shown.map((result) => ({ ...result, notes: [] })));
  for (const name of YARDSTICKS) {
    const peer = PEERS[name];
    const yardstick = results.find((result) => result.name === caseName(peer, peer.forms[0] as WriteForm));
    if (yardstick) suite.cases.push(...ratiosTo(yardstick, results));
  }
  const about = measuredCases.map((result) => withFigures(result, (name) => ABOUT_FIGURES.includes(name)));
  for (const { name, figures, notes } of about) suite.cases.push({ table: ABOUT_TABLE, name, figures, notes });
}

function withFigures(result: CaseResult, isWanted: (name: string) => boolean): CaseResult {
  return { ...result, figures: result.figures.filter(({ name }) => isWanted(name)) };
}

function noteAbsent(suite: SuiteRun, { title }: Peer): void {
  const notes = [`not installed; '${INSTALL_COMMAND}' installs it on Debian 12`];
  suite.cases.push({ table: TABLE, name: title, figures: [], notes });
}

function entryOf(suite: SuiteRun, peer: Peer, form: WriteForm, version: string): TurnCase {
  const { tags, points, each, seed } = suite.options;
  const size = {
    tagCount: tags ?? suite.size(W1.tagCount, 100),
    pointsATag: points ?? suite.size(W1.pointsATag, 4000),
    seed,
  };
  return {
    table: TABLE,
    name: caseName(peer, form),
    limitMs: LIMIT_MS,
    work: async (note) => {
      note(`${version}; ${peer.durability}${form.isRead ? `; read by ${peer.readVia}` : ''}`);
      const pointsARequest = each ?? W1.pointsARequest;
      const job = { peer: peer.name, form: form.name, size, pointsARequest, reads: suite.size(200, 30) };
      return figuresOf(await runMeasurement(job));
    },
  };
}

function figuresOf(result: PeerMeasurement): RunFigure[] {
  const { points, elapsedMs, reads } = result;
  return [
    measured('rate', 'M points/s', 'more', points / elapsedMs / 1000),
    measured('server CPU', 's/M', 'less', result.cpu),
    measured('CPU cold', 's/M', 'less', result.coldCpu),
    measured('CPU warm', 's/M', 'less', result.warmCpu),
    measured('on disk', 'B/pt', 'less', result.stored.usedBytes / points),
    measured('memory over empty', 'MB', 'less', result.memoryMb),
    ...(reads === undefined
      ? []
      : [
          measured('1 tag x 1 h', 'ms', 'less', reads.oneTagMs),
          measured('100 tags x 1 h', 'ms', 'less', reads.manyTagsMs),
          measured('latest', 'ms', 'less', reads.latestMs),
        ]),
    measured('client CPU', 's/M', 'none', result.clientCpu),
    measured('allocated', 'B/pt', 'less', result.stored.allocatedBytes / points),
    measured('sent', 'B/pt', 'none', result.bodyBytes / points),
    measured('answers checked', '', 'none', result.checked),
    measured('wrong', '', 'less', result.wrong),
  ];
}
