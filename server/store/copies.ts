// The copies of datasets at a centre, as the server runs them.

import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Engine } from '../../engine/index.ts';
import { Replication } from '../../replication/job/replication.ts';
import { checkSinkAddress, openSink } from '../../replication/open-sink.ts';
import type { CopyList } from '../metrics/copy-figures.ts';
import { urlHost } from '../process/loopback.ts';
import { UsageError } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';

export interface RunningCopies extends CopyList {
  start(): void;
  /** Ends after what is under way. */
  stop(): Promise<void>;
}

export interface CopiesParts {
  readonly settings: Settings;
  readonly engine: Engine;
  readonly logger: Logger;
  /** Address of this server, where no address is set. */
  readonly ownAddress: string;
}

/** Throws a `UsageError` where the settings do not fit. */
export function checkCopySettings({ centre, durability, 'centre-password': password }: Settings): void {
  if (centre === undefined) return;
  if (durability !== 'group')
    throw new UsageError(
      `--centre: a copy needs --durability group; with ${durability} a power failure can take points that the centre has, and give their places to others.`,
    );
  try {
    checkSinkAddress(centre, { password });
  } catch (error) {
    throw new UsageError(`--centre: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Undefined where no centre is set. */
export async function openCopies({
  settings,
  engine,
  logger,
  ownAddress,
}: CopiesParts): Promise<RunningCopies | undefined> {
  const { centre, 'centre-password': password } = settings;
  if (centre === undefined) return undefined;
  const replication = new Replication({
    engine,
    sink: await openSink(centre, { password }),
    dataFolder: settings.data,
    site: settings.site,
    datasets: settings['centre-dataset'],
    restored: settings['centre-restored'],
    edgeAddress: settings['edge-address'] ?? ownAddress,
    nowMs: () => Date.now(),
    listener: ({ level, message, dataset }) => logger[level]({ dataset, centre: replication.status.name }, message),
  });
  return {
    snapshots() {
      const { name, datasets } = replication.status;
      return datasets.map(({ reason, lagSeconds, ...rest }) => ({
        ...rest,
        centre: name,
        ...(reason === undefined ? {} : { reason }),
        ...(lagSeconds === undefined ? {} : { lagSeconds }),
      }));
    },
    start: () => replication.start(),
    stop: () => replication.stop(),
  };
}

/** Address at which others reach this server, if nothing else is known. */
export function addressOf(scheme: string, port: number): string {
  return `${scheme}://${urlHost(hostname())}:${port}`;
}
