// `varve replicate`: copies a data folder that no server is using to a centre, says how far it is, and ends.

import { EngineError } from '../../engine/index.ts';
import { ExitCode } from '../exit-codes.ts';
import { openLog } from '../log.ts';
import type { CopySnapshot } from '../metrics/copy-figures.ts';
import { UsageError } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { loadAskedParts } from '../store/asked-parts.ts';
import { checkCopySettings, openCopies, type RunningCopies } from '../store/copies.ts';
import { openStore } from '../store/open-store.ts';

const LOOK_MS = 250;
const PROGRESS_MS = 5_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Throws a `UsageError` where no centre is named. */
export async function runReplicate(settings: Settings): Promise<ExitCode> {
  if (settings.centre === undefined) throw new UsageError('varve replicate needs --centre <address>.');
  checkCopySettings(settings);
  await loadAskedParts(settings);
  const { logger, flush } = openLog(settings['log-level']);
  try {
    const engine = await openStore({
      settings,
      listener: ({ level, event, message, dataset }) => logger[level]({ event, dataset }, message),
      progress: () => undefined,
    });
    const names = engine.datasets().map(({ name }) => name);
    const wanted = settings['centre-dataset'].length === 0 ? names : settings['centre-dataset'];
    const copies = (await openCopies({ settings, engine, logger, ownAddress: settings.data })) as RunningCopies;
    copies.start();
    const verdict = await untilCopied(copies, wanted);
    await copies.stop();
    await engine.close();
    return verdict;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error.code === 'LOCKED' ? ExitCode.InUse : ExitCode.Failed;
  } finally {
    flush();
  }
}

async function untilCopied(copies: RunningCopies, wanted: readonly string[]): Promise<ExitCode> {
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
  };
  for (const signal of SIGNALS) process.once(signal, interrupt);
  let saidMs = Date.now();
  try {
    for (;;) {
      const snapshots = copies.snapshots();
      const stopped = snapshots.find(({ state }) => state === 'stopped');
      if (stopped) return say(`${stopped.dataset}: ${stopped.reason ?? ''}`, ExitCode.Failed);
      if (wanted.every((name) => snapshots.some((copy) => copy.dataset === name && isCopied(copy))))
        return say(`Copied ${describe(snapshots)}.`, ExitCode.Ok);
      if (isInterrupted) return say(`Interrupted after ${describe(snapshots)}; the next run goes on.`, ExitCode.Failed);
      if (Date.now() - saidMs > PROGRESS_MS) {
        saidMs = Date.now();
        say(`${describe(snapshots)}${reasonsOf(snapshots)}`, ExitCode.Ok);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  }
}

/** Nothing comes while it runs but system tags. */
function isCopied({ lagSeconds, waitingTags, state }: CopySnapshot): boolean {
  return state === 'copying' && lagSeconds !== undefined && waitingTags === 0;
}

function describe(copies: readonly CopySnapshot[]): string {
  const points = copies.reduce((sum, { copiedPoints }) => sum + copiedPoints, 0);
  return `${points} points of ${copies.length} datasets`;
}

function reasonsOf(copies: readonly CopySnapshot[]): string {
  const reasons = new Set(copies.flatMap(({ reason }) => reason ?? []));
  return reasons.size === 0 ? '' : `; waiting: ${[...reasons].join('; ')}`;
}

function say(line: string, code: ExitCode): ExitCode {
  process.stdout.write(`${line}\n`);
  return code;
}
