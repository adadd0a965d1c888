// The programs behind `npm run bench <name>`: measurements with a command line of their own, beside the suites.

/** @type {Readonly<Record<string, readonly [path: string, says: string]>>} */
export const BENCH_PROGRAMS = {
  centre: ['bench/programs/centre.ts', 'copies at a centre: --only, --points, --edges, --fleet-seconds'],
  day: ['bench/programs/day.ts', 'a day of many tags, a point a minute each: --tags, --minutes'],
  figures: ['bench/programs/figures.ts', 'bytes and seconds for points like those of a plant: --points, --a-request'],
  late: ['bench/programs/late.ts', 'a tenth of the points late: --tags, --hours, --late, --rounds'],
  lines: ['bench/programs/lines.ts', 'line protocol beside JSON: --lines, --fields, --lines-a-body, --rounds'],
  live: ['bench/programs/live.ts', 'live data for a thousand clients: --seconds, --http, --way'],
  mqtt: ['bench/programs/mqtt.ts', 'messages of a broker at a steady rate: --rate, --seconds'],
  pairs: [
    'bench/programs/pairs.ts',
    'this state beside another in turns, on processor time: --before, --before-flags, --http, --rounds',
  ],
  plot: ['bench/programs/plot.ts', 'a chart over a year of one tag: --days, --points, --reads'],
  scale: ['bench/programs/scale.ts', 'many tags, and restarts: --tags'],
  transfer: ['bench/programs/transfer.ts', 'CSV in and Parquet out, beside DuckDB: --rows, --tags'],
  transports: ['bench/programs/transports.ts', 'what each HTTP transport costs on this Node'],
  'write-path': [
    'bench/programs/write-path.ts',
    'lines of code that a usual point passes: --least, --project, --files',
  ],
};
