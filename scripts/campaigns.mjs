// The programs behind `npm run campaign <name>`, with what each tries, and the words that only it has.

/** @type {Readonly<Record<string, readonly [path: string, says: string]>>} */
export const CAMPAIGNS = {
  access: [
    'test/server/auth/access-table/access-table.ts',
    'who may do what: routes x tokens x Hosts x origins: --only',
  ],
  aggregates: ['test/engine/aggregates/random-series.ts', 'aggregates of random series against the plain reference'],
  amended: [
    'test/model/amended-model.ts',
    'widened rules, late points, corrections and removals over restarts, against a model in plain words',
  ],
  attack: ['test/server/attack/attack-table.ts', 'attacks on the HTTP side, a row each: --transport, --only'],
  calls: ['test/crash/system-calls.ts', 'failing system calls of the real server, by strace'],
  centre: ['test/replication/faults/fault-rounds.ts', 'rounds of faults of edge, centre and the line between them'],
  clock: ['test/crash/clock-trials.ts', 'wrong clocks'],
  conformance: ['test/conformance/run-cases.ts', 'the cases of the API over each transport: --only'],
  copy: [
    'test/copy/copy-moments.ts',
    'backups of a running server at random moments, restored, checked, served and compared',
  ],
  corrections: [
    'test/engine/corrections/random-corrections.ts',
    'random corrections, undoings and cuts, with power cuts',
  ],
  crash: ['test/crash/crash-clones.ts', 'power cuts on a disk that drops what was not synced'],
  descriptors: ['test/crash/open-files.ts', 'no file descriptors left'],
  disk: ['test/crash/real-disk.ts', 'power cuts on ext4 and XFS: --part 1/2 or 2/2 for one of them'],
  exceptions: [
    'test/collect/random-series.ts',
    'exception rules of collectors on random series, against the rules said plainly; what they save on the demo plant',
  ],
  fairness: [
    'test/server/fairness/fairness-table.ts',
    'how long expensive requests hold others up, a row each: --only',
  ],
  framing: [
    'test/server/http/framing/framing-table.ts',
    'requests of every framing, what runs and what is answered: --transport, --only, --port of a server that runs',
  ],
  fuzz: ['test/fuzz/fuzz.ts', 'random input for everything that reads what others wrote: --only'],
  i3x: ['test/server/doors/i3x/conformance.ts', "CESMII's conformance suite, whose folder is given"],
  io: ['test/crash/io-faults.ts', 'an I/O error at the N-th operation of the disk; 0 for every N'],
  kill: ['test/crash/kill.ts', 'rounds of kill -9 under load at every level of durability: --data'],
  'kill-amended': [
    'test/crash/kill-amended.ts',
    'rounds of kill -9 under late points, corrections, removals, re-creation, rules and types; full disks, power cuts: --place',
  ],
  'live-line': [
    'test/browser/live-line/live-line.ts',
    'minutes of live trends in a browser, over a line that is cut, silent, slow or hanging every few minutes',
  ],
  model: ['test/model/model.ts', 'runs of random requests against a plain model: --steps'],
  mqtt: ['test/server/doors/mqtt/delivery.ts', 'rounds of kills of server and broker under a stream of messages'],
  opcua: [
    'test/collect/faults/faults.ts',
    'rounds of faults of OPC UA servers, their line, the collector, its disk and the historian: --only',
  ],
  'opcua-load': [
    'test/collect/load/load.ts',
    'minutes of 5,000 variables of OPC UA that change every second, each value counted: --variables',
  ],
  processes: ['test/crash/two-processes.ts', 'rounds of several servers that are started on one folder'],
  promql: [
    'test/server/doors/prometheus/random-queries.ts',
    'random queries of PromQL against Prometheus itself, with the same points',
  ],
  purge: ['test/model/purge-model.ts', 'purge rules that change, against a model in plain words'],
  'purge-size': ['test/model/purge-size.ts', 'purge by size: --mb, --tags, --times, --data'],
  races: ['test/crash/races.ts', 'deletes and purges that race with reads and writes'],
  rot: ['test/corruption/bit-rot.ts', 'bit rot in every file, 0 for every byte and block: --part 1/2'],
  'slow-readers': [
    'test/server/slow-readers/slow-readers.ts',
    'very many clients that take nothing of dear answers, at a small heap, and the stop behind them: --transport, --only, --data',
  ],
  soak: ['test/crash/soak.ts', 'minutes of full speed with a kill -9 in each'],
  start: ['test/crash/start-faults.ts', 'a fault from the N-th operation of a start on; 0 for every N'],
};
