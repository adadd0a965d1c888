// Loads what settings ask for and most servers do not need, before a server does anything: a missing package is told at once.

import { loadOpcUa } from '../../collect/opcua/library.ts';
import { loadSink } from '../../replication/open-sink.ts';
import { loadOpcUaServer } from '../doors/opcua/library.ts';
import { loadPart, MissingPackage } from '../process/optional-part.ts';
import { UsageError } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';

/** Rejects with a `UsageError` that names a package that is not installed. */
export async function loadAskedParts(settings: Settings): Promise<void> {
  const { mqtt, opcua, centre, engine } = settings;
  try {
    if (mqtt !== undefined) await loadPart('--mqtt', () => import('mqtt'));
    if (opcua !== undefined) await loadPart('--opcua', loadOpcUa);
    if (settings['opcua-server'] !== undefined) await loadPart('--opcua-server', loadOpcUaServer);
    if (centre !== undefined) await loadPart(`--centre ${formOf(centre)}`, () => loadSink(centre));
    if (engine !== undefined) await loadPart('--engine', () => loadSink(engine));
  } catch (error) {
    throw error instanceof MissingPackage ? new UsageError(error.message) : error;
  }
}

/** An address may have a password in it. */
function formOf(address: string): string {
  return address.replace(/:.*/s, '://');
}
