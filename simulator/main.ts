// The simulator's command. The only place that ends the process.

import { EXIT, type ExitCode, messageOf, RunError } from '../forward/errors.ts';
import { parseArguments, type SimulatorArguments, USAGE } from './arguments.ts';
import { estimatePlant } from './config/estimate.ts';
import { openProgress, type ProgressDisplay } from './progress.ts';
import { readPlant, runSimulator } from './run.ts';

async function main(): Promise<ExitCode> {
  const progress = openProgress(process.stderr);
  try {
    const options = parseArguments(process.argv.slice(2));
    if (options === 'help') process.stdout.write(USAGE);
    else if (options.mode === 'check') await check(options);
    else await runSimulator({ ...options, progress, signal: stopSignal(progress) });
    return EXIT.fine;
  } catch (error) {
    const isExpected = error instanceof RunError;
    progress.log(isExpected ? error.message : `BUG: ${error instanceof Error ? error.stack : messageOf(error)}`);
    return isExpected ? error.exitCode : EXIT.failed;
  }
}

async function check({ config }: SimulatorArguments): Promise<void> {
  const plant = await readPlant(config);
  const estimate = estimatePlant(plant);
  const show = (value: number): string => Math.round(value).toLocaleString('en');
  process.stdout.write(
    `${config} is valid: ${show(estimate.sequences)} sequences, ${show(estimate.instances)} instances, ` +
      `${show(estimate.tags)} tags, about ${show(estimate.pointsPerDay)} points a day, ` +
      `${show(estimate.pointsPerDay * plant.backfillDays)} in the back-fill of ${plant.backfillDays} days\n`,
  );
}

/** Aborted by Ctrl-C, SIGTERM, or the end of the process that started this one; a second signal ends it at once. */
function stopSignal(progress: ProgressDisplay): AbortSignal {
  const controller = new AbortController();
  let signals = 0;
  const stop = (): void => {
    if (!controller.signal.aborted) progress.log('stopping');
    controller.abort();
  };
  const stopBySignal = (): void => {
    signals++;
    if (signals > 1) process.exit(EXIT.failed);
    stop();
  };
  process.on('SIGINT', stopBySignal);
  process.on('SIGTERM', stopBySignal);
  process.on('disconnect', stop);
  return controller.signal;
}

process.exit(await main());
