// A week of a plant of 40 tags at 1.5 s, 16 million points, back-filled over HTTP into a server that runs beside:
// `node --import tsx bench/simulator/backfill.ts [--days <n>] [--url <address>]`. Prints seconds, points per second and
// both processes' CPU. Without --url it starts a server of its own on a temporary folder.

import { parseArgs } from 'node:util';
import { withTempFolder } from '../support/clean-up.ts';
import { withServer } from '../support/server-under-test.ts';
import { type BackfillResult, backfill } from './run-backfill.ts';

const { values } = parseArgs({ options: { days: { type: 'string', default: '7' }, url: { type: 'string' } } });
const days = Number(values.days);

await withTempFolder('backfill', async (folder) => {
  const { url } = values;
  const result =
    url === undefined
      ? await withServer(`${folder}/data`, {}, (server) =>
          backfill({ folder, days, seed: 1, url: server.url, cpuSeconds: () => server.cpuSeconds }),
        )
      : await backfill({ folder, days, seed: 1, url, cpuSeconds: () => Number.NaN });
  print(result);
});

function print({ points, seconds, simulatorCpuSeconds, serverCpuSeconds }: BackfillResult): void {
  console.log(
    JSON.stringify({
      points,
      seconds: Number(seconds.toFixed(2)),
      pointsPerSecond: Math.round(points / seconds),
      simulatorCpuSeconds: Number(simulatorCpuSeconds.toFixed(2)),
      serverCpuSeconds: Number(serverCpuSeconds.toFixed(2)),
    }),
  );
}
