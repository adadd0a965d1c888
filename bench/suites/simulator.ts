// Suite `simulator`: the simulator fills a server in a process beside it with a week of a plant of 40 tags at 1.5 s,
// 16 million points, as fast as both can: its own generator and its own HTTP client.

import { measured, type RunFigures } from '../report/result.ts';
import { BACKFILL_TAGS, backfill } from '../simulator/run-backfill.ts';
import type { SuiteRun } from '../suite-run.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { type ServerUnderTest, withServer } from '../support/server-under-test.ts';

export async function runSimulatorSuite(suite: SuiteRun): Promise<void> {
  const days = suite.size(7, 1);
  const { seed } = suite.options;
  const name = `${days} ${days === 1 ? 'day' : 'days'} of ${BACKFILL_TAGS} tags at 1.5 s`;
  await suite.measure({ table: 'simulator', name }, () =>
    withTempFolder('simulator', (folder) =>
      withServer(`${folder}/data`, {}, (server) => measureBackfill(folder, server, days, seed)),
    ),
  );
}

async function measureBackfill(
  folder: string,
  server: ServerUnderTest,
  days: number,
  seed: number,
): Promise<RunFigures> {
  const cpuSeconds = () => server.cpuSeconds;
  const result = await backfill({ folder, days, seed, url: server.url, cpuSeconds });
  const millions = result.points / 1e6;
  return [
    measured('until readable', 's', 'less', result.seconds),
    measured('rate', 'M points/s', 'more', millions / result.seconds),
    measured('server CPU', 's/M', 'less', result.serverCpuSeconds / millions),
    measured('simulator CPU', 's/M', 'less', result.simulatorCpuSeconds / millions),
    measured('points', 'M', 'none', millions),
  ];
}
