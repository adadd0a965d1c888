// What the server reads and writes: a data folder, or the copies at a centre.

import type { CentreEngine } from '../../centre/centre-engine.ts';
import {
  type Engine,
  type EngineListener,
  type EngineTunables,
  nodeThreads,
  type OlderReads,
  openEngine,
} from '../../engine/index.ts';
import { parseAddress } from '../../replication/clickhouse/address.ts';
import { BackOff } from '../../replication/job/back-off.ts';
import { copyName, PassingFailure } from '../../replication/sink.ts';
import { encodingPlace } from '../process/encoding-place.ts';
import { UsageError } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';

/** How often an edge looks what its centre has: for times long past. */
const OLDER_LOOK_MS = 10_000;

export interface StoreParts {
  readonly settings: Settings;
  readonly listener: EngineListener;
  /** Called with the progress of opening, in words. */
  readonly progress: (step: string) => void;
}

/** Throws a `UsageError` where `--engine` is no address, or stands beside what needs a data folder. */
export function checkEngineSettings(settings: Settings): void {
  const { engine, centre, mqtt, opcua, demo, 'centre-password': password } = settings;
  if (engine === undefined) return;
  const unfit = [
    ['--centre', centre],
    ['--mqtt', mqtt],
    ['--opcua', opcua],
    ['--opcua-server', settings['opcua-server']],
    ['--demo', demo || undefined],
  ].find(([, value]) => value !== undefined);
  if (unfit) throw new UsageError(`--engine: ${unfit[0]} needs a data folder; a server over a centre only reads.`);
  try {
    parseAddress(engine, password);
  } catch (error) {
    throw new UsageError(`--engine: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export async function openStore({ settings, listener, progress }: StoreParts): Promise<Engine> {
  const { engine, 'centre-password': password } = settings;
  if (engine === undefined) return openDataFolder({ settings, listener, progress });
  progress('reading what is at the centre');
  const centre = new (await centreParts()).CentreEngine({ address: parseAddress(engine, password), listener });
  const backOff = new BackOff();
  // Started before its centre, or beside one that is away: it begins to answer when that does.
  for (;;) {
    try {
      await centre.open();
      return centre;
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      listener({ level: 'warn', event: 'centre.look', message: error.message });
      await new Promise((resolve) => setTimeout(resolve, backOff.next()));
    }
  }
}

/** Times up to which datasets that are copies have all that the edge accepted, ms. */
export function copyAges(engine: Engine): ((dataset: string) => number | undefined) | undefined {
  if (!isCentre(engine)) return undefined;
  return (dataset) => (engine.hasDataset(dataset) ? engine.copiedUntilMs(dataset) : undefined);
}

function isCentre(engine: Engine): engine is CentreEngine {
  return 'copiedUntilMs' in engine;
}

/** Loaded only where there is a centre: the client of ClickHouse is large. */
async function centreParts() {
  const [{ CentreEngine }, { CentreOlderReads }] = await Promise.all([
    import('../../centre/centre-engine.ts'),
    import('../../centre/older-reads.ts'),
  ]);
  return { CentreEngine, CentreOlderReads };
}

/** With a centre that can be asked: what purge has removed here is read there. */
async function olderReads({ settings, listener }: StoreParts): Promise<OlderReads | undefined> {
  const { centre, site, 'centre-password': password } = settings;
  if (!centre?.startsWith('clickhouse')) return undefined;
  const nameOf = (dataset: string): string => copyName(site, dataset);
  const { CentreEngine, CentreOlderReads } = await centreParts();
  const engine = new CentreEngine({
    address: parseAddress(centre, password),
    listener,
    catalogue: { prefix: nameOf(''), lookMs: OLDER_LOOK_MS },
  });
  engine.start();
  return new CentreOlderReads(engine, nameOf);
}

async function openDataFolder({ settings, listener, progress }: StoreParts): Promise<Engine> {
  return openEngine({
    olderReads: await olderReads({ settings, listener, progress }),
    folder: settings.data,
    durability: settings.durability,
    threads: encodingPlace(settings['encoding-thread']).hasThread ? nodeThreads : undefined,
    tunables: tunablesOf(settings),
    listener,
    progress,
  });
}

function tunablesOf(settings: Settings): Partial<EngineTunables> {
  return {
    headLimitBytes: settings['head-limit'],
    journalLimitBytes: settings['journal-limit'],
    retiredFileMs: settings['retired-journal-age'],
    retiredFileBytes: settings['retired-journal-size'],
    diskReserveBytes: settings['disk-reserve'],
    systemTagDays: settings['system-days'],
    copyWaitMs: settings['centre-purge-wait'],
    blockCacheBytes: settings['block-cache'],
    maxAheadMs: settings['max-ahead'],
    defaultPurgeAgeDays: settings['purge-age'],
    defaultPurgeSizeGb: settings['purge-size'],
  };
}
