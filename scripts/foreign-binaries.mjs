// What packages bring for other systems, kinds of machines and versions of Node, removed after an installation. Plain
// JavaScript that loads no package.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Versions of Node's interface for binaries that Varve's package has binaries for: Node 20, 22 and 24. */
const CARRIED_ABIS = ['115', '127', '137'];

/**
 * What to remove, by packages: `isForeign` is asked about the path of each file below the package's folder. After an
 * installation of `all` the package can be built, so what it carries for other machines stays; after one of the `program` only
 * this machine's binaries do, for any Node.
 */
export function foreignBinaries(extent, { platform, arch } = process) {
  const ours = extent === 'program' ? `uws_${platform}_${arch}_` : 'uws_';
  return [
    {
      package: 'uWebSockets.js',
      isForeign: (path) => {
        const [, beginning, abi] = /^(uws_.*_)(\d+)\.node$/.exec(path) ?? [];
        return abi !== undefined && !(beginning.startsWith(ours) && CARRIED_ABIS.includes(abi));
      },
    },
  ];
}

/** Gives how many bytes went. `packagesFolder` is a `node_modules`; packages that it lacks are none to look at. */
export function removeForeign(packagesFolder, list) {
  let sizeBytes = 0;
  for (const { package: name, isForeign } of list) {
    const folder = join(packagesFolder, name);
    if (!existsSync(folder)) continue;
    for (const path of readdirSync(folder, { recursive: true }).filter((each) => isForeign(each))) {
      sizeBytes += statSync(join(folder, path)).size;
      rmSync(join(folder, path));
    }
  }
  return sizeBytes;
}
