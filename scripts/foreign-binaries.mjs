// What packages bring for other systems, kinds of machines and versions of Node, and copies of their sources, removed after an
// installation. Plain JavaScript that loads no package.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Versions of Node's interface for binaries that Varve's package has binaries for: Node 20, 22 and 24. */
const CURRENT_ABIS = ['115', '127', '137'];
/** The build for older C libraries is for Node 20 on Linux. */
const OLDER_ABIS = ['115'];
/** Binaries that the library ws would use where it finds them, though nothing here asks for them. */
const UNASKED = ['bufferutil', 'utf-8-validate', 'node-gyp-build'];
/** Packages whose maps of their sources weigh more than a megabyte, or come with such a one. */
const MAPPED = ['@modelcontextprotocol/core', '@modelcontextprotocol/server', 'msgpackr'];
/** Types and maps, which only those read who change the program: their installation brings them again. */
const UNREAD = /\.d\.[cm]?ts$|\.map$/;

/**
 * What to remove, by packages (all of one family where a name ends with `*`): `isForeign` is asked about the path of each file
 * below the package's folder. After an installation of `all` the package can be built, so what it carries for other machines
 * stays; after one of the `program` only this machine's binaries do, for any Node.
 */
export function foreignBinaries(extent, { platform, arch } = process) {
  const ours = extent === 'program' ? `uws_${platform}_${arch}_` : 'uws_';
  const isKept = (path, abis) => {
    const [, beginning, abi] = /^(?:binaries[/\\])?(uws_.*_)(\d+)\.node$/.exec(path) ?? [];
    return abi !== undefined && beginning.startsWith(ours) && abis.includes(abi);
  };
  return [
    {
      package: '@btc-vision/uwebsockets.js',
      isForeign: (path) => path.endsWith('.node') && !isKept(path, CURRENT_ABIS),
    },
    {
      package: '@trufflesuite/uws-js-unofficial',
      isForeign: (path) => !['package.json', 'LICENSE'].includes(path) && !isKept(path, OLDER_ABIS),
    },
    // Other forms of what is served, and maps of its sources.
    { package: 'swagger-ui-dist', isForeign: (path) => /^swagger-ui-es-|\.map$/.test(path) },
    { package: 'apache-arrow', isForeign: (path) => /^src[/\\]|\.min\.js$|\.map$/.test(path) },
    // Descriptions of machines of many kinds: the server has those that every server has.
    { package: 'node-opcua-nodesets', isForeign: (path) => /^nodesets[/\\](?!Opc\.Ua\.NodeSet2\.xml$)/.test(path) },
    // Sources that are there as JavaScript, too, and maps to them.
    { package: 'node-opcua-*', isForeign: (path) => /^source[/\\]|\.map$/.test(path) },
    ...MAPPED.map((name) => ({ package: name, isForeign: (path) => path.endsWith('.map') })),
    ...UNASKED.map((name) => ({ package: name, isForeign: (path) => path !== 'package.json' })),
    ...(extent === 'program' ? [{ package: '*', isForeign: (path) => UNREAD.test(path) }] : []),
  ];
}

/** Gives how many bytes went. `packagesFolder` is a `node_modules`; packages that it lacks are none to look at. */
export function removeForeign(packagesFolder, list) {
  let sizeBytes = 0;
  for (const { package: name, isForeign } of list.flatMap((item) => namedOf(packagesFolder, item))) {
    const folder = join(packagesFolder, name);
    if (!existsSync(folder)) continue;
    for (const path of readdirSync(folder, { recursive: true }).filter((each) => isForeign(each))) {
      const file = statSync(join(folder, path), { throwIfNoEntry: false });
      if (!file?.isFile()) continue;
      sizeBytes += file.size;
      rmSync(join(folder, path));
    }
  }
  return sizeBytes;
}

/** The item for each package that its name stands for. */
function namedOf(packagesFolder, item) {
  if (!item.package.endsWith('*')) return [item];
  if (!existsSync(packagesFolder)) return [];
  const isOfFamily = (name) => !name.startsWith('.') && name.startsWith(item.package.slice(0, -1));
  const family = readdirSync(packagesFolder).filter(isOfFamily);
  return family.map((name) => ({ ...item, package: name }));
}
