// The doctor's look at the program and the process: versions, the binary of the HTTP front end, open files.

import type { Settings } from '../../settings/settings.ts';
import { chooseFrontEnd } from '../../uws/front-end.ts';
import { checkHash, findBinary } from '../../uws/load-uws.ts';
import { binaryName, thisPlatform, type UwsBuild, type UwsPlatform } from '../../uws/uws-builds.ts';
import { VERSION } from '../../version.ts';
import { error, type Finding, ok, warn } from './finding.ts';

/** Least version that package.json names in `engines`. */
const LEAST_NODE = [20, 19] as const;
/** Every connection, every file that is read, and a few more. */
const FEWEST_FILES = 4096;

export function lookAtVersions(nodeVersion: string): Finding {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const message = `Varve ${VERSION} on Node ${nodeVersion}, ${process.platform} ${process.arch}`;
  const isOld = major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1]);
  return isOld ? error(`${message}: too old`, `Install Node ${LEAST_NODE.join('.')} or newer.`) : ok(message);
}

/** The settings that decide which front end is used. */
export type FrontEndSettings = Pick<Settings, 'http' | 'proxy' | 'tls-cert'>;

/** Which HTTP front end the server would have, whether its binary is the one that was looked at, and what it does not do. */
export function lookAtFrontEnd(settings: FrontEndSettings, platform: UwsPlatform = thisPlatform()): Finding {
  const { http, proxy } = settings;
  const wish = { choice: http, hasTls: settings['tls-cert'] !== undefined, hasProxy: proxy.length > 0 };
  const frontEnd = chooseFrontEnd(wish, () => platform);
  switch (frontEnd.kind) {
    case 'node':
      return ok('the front end is node:http, which answers all of HTTP/1');
    case 'none': {
      const message = `the front end is node:http: uWebSockets has no binary ${binaryName(platform)} for this C library`;
      return http === 'uws' ? warn(message, 'Nothing, or leave --http uws out.') : ok(message);
    }
    case 'passed-over': {
      const { title, gaps } = frontEnd.build;
      return ok(`the front end is node:http; with ${title}, the build for this C library, ${gaps}`);
    }
    case 'uws':
      return lookAtBinary(frontEnd.build, platform);
  }
}

function lookAtBinary({ title, gaps }: UwsBuild, platform: UwsPlatform): Finding {
  try {
    const { build, path } = findBinary(platform);
    checkHash(path, build);
    return ok(`the front end is ${title}, and its binary the pinned one; ${gaps} (--http node answers all of it)`);
  } catch (fault) {
    return error(
      `the binary of ${title} is not the one that this version was made with: ${(fault as Error).message}`,
      'Install Varve again (in a clone: remove node_modules, then npm ci); until then it runs with --http node.',
    );
  }
}

/** `limits`: the text of /proc/self/limits; undefined where there is none. */
export function lookAtOpenFiles(limits: string | undefined): Finding {
  const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(limits ?? '') ?? [];
  if (soft === '') return ok('the limit of open files cannot be told here');
  if (soft === 'unlimited' || Number(soft) >= FEWEST_FILES) return ok(`${soft} files may be open`);
  return warn(
    `only ${soft} files may be open`,
    `Start it behind ulimit -n 65536, or with LimitNOFILE=65536 in the service's unit.`,
  );
}
