// Lines of the sources in the traces of errors of the built program. Node's own switch for that reads every map as its module
// is loaded, a sixth of the processor time of a start and some MB that stay; here a map is read when a trace is.

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** By the address of a module; undefined where no map lies beside it, as with modules of Node and sources that run as such. */
type Maps = Map<string, SourceMap | undefined>;

/** From now on the traces of this thread name the sources of modules that were built. */
export function nameSourcesInTraces(): void {
  const maps: Maps = new Map();
  Error.prepareStackTrace = (error, sites) =>
    [titleOf(error), ...sites.map((site) => `    at ${describeSite(site, maps)}`)].join('\n');
}

/** An error may have a `toString` that throws. */
function titleOf(error: Error): string {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}

function describeSite(site: NodeJS.CallSite, maps: Maps): string {
  const address = site.getFileName() ?? '';
  const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
  const map = line === null || column === null ? undefined : mapOf(address, maps);
  if (map === undefined || line === null || column === null) return String(site);
  const entry = map.findEntry(line - 1, column - 1);
  if (!('originalSource' in entry)) return String(site);
  const source = new URL(entry.originalSource, address).href;
  const place = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return String(site).replace(`${address}:${line}:${column}`, () => place);
}

function mapOf(address: string, maps: Maps): SourceMap | undefined {
  if (!address.startsWith('file:')) return undefined;
  if (!maps.has(address)) maps.set(address, readMap(address));
  return maps.get(address);
}

/** A map that is missing or damaged only costs the names. */
function readMap(address: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${address}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
