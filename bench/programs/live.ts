// Live data: 100 tags written ten times a second, 1,000 clients that listen to one tag each and ten to all, over
// server-sent events and over WebSockets. Run: npm run bench live -- [--seconds 20] [--http uws] [--way sse]

import { parseArgs } from 'node:util';
import { LIVE_WAYS } from '../live/live-clients.ts';
import { type LiveFigures, measureLive } from '../live/measure-live.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    http: { type: 'string', default: 'uws' },
    way: { type: 'string' },
    'one-tag': { type: 'string', default: '1000' },
    all: { type: 'string', default: '10' },
  },
});

const ROWS: readonly (readonly [name: string, cell: (figures: LiveFigures) => string])[] = [
  ['events delivered a second', ({ eventsPerSecond }) => Math.round(eventsPerSecond).toLocaleString('en-US')],
  ['points delivered a second', ({ pointsPerSecond }) => Math.round(pointsPerSecond).toLocaleString('en-US')],
  ['points missing', ({ missing }) => String(missing)],
  ['latency p50, ms', ({ p50Ms }) => p50Ms.toFixed(1)],
  ['latency p99, ms', ({ p99Ms }) => p99Ms.toFixed(1)],
  ['latency, longest, ms', ({ maxMs }) => maxMs.toFixed(1)],
  ['server memory before, MB', ({ emptyMb }) => emptyMb.toFixed(0)],
  ['server memory under load, MB', ({ loadedMb }) => loadedMb.toFixed(0)],
  ['server memory at most, MB', ({ peakMb }) => peakMb.toFixed(0)],
  ['server CPU, cores', ({ serverCpu }) => serverCpu.toFixed(2)],
  ['client CPU, cores', ({ clientCpu }) => clientCpu.toFixed(2)],
];

const http = values.http === 'node' ? 'node' : 'uws';
const ways = LIVE_WAYS.filter((way) => values.way === undefined || values.way === way);
const results: LiveFigures[] = [];
for (const way of ways) {
  const [ofOneTag, ofAll, seconds] = [Number(values['one-tag']), Number(values.all), Number(values.seconds)];
  results.push(await measureLive({ way, http, tags: 100, ofOneTag, ofAll, seconds }));
}
console.log(`| ${http} | ${ways.join(' | ')} |`);
console.log(`|---|${ways.map(() => '---').join('|')}|`);
for (const [name, cell] of ROWS) console.log(`| ${name} | ${results.map(cell).join(' | ')} |`);
