// The doctor's look at the program and the process: versions, the binary of the HTTP front end, open files.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { uwsBinaryName, uwsBinaryPins } from '../../uws/uws-binary-pin.ts';
import { VERSION } from '../../version.ts';
import { error, type Finding, ok, warn } from './finding.ts';

/** As package.json has it in `engines`. */
const LEAST_NODE = [20, 15] as const;
/** Every connection, every file that is read, and a few more. */
const FEWEST_FILES = 4096;

export function lookAtVersions(nodeVersion: string): Finding {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const message = `Varve ${VERSION} on Node ${nodeVersion}, ${process.platform} ${process.arch}`;
  const isOld = major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1]);
  return isOld ? error(`${message}: too old`, `Install Node ${LEAST_NODE.join('.')} or newer.`) : ok(message);
}

/** The binary that `--http uws` loads in this process. */
export function lookAtBinary(name: string = uwsBinaryName()): Finding {
  const path = join(dirname(createRequire(import.meta.url).resolve('#uws')), name);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch {
    return warn(`uWebSockets has no binary ${name} for this platform`, 'Nothing: --http node is used by itself.');
  }
  const pin = uwsBinaryPins.get(name);
  if (pin === undefined)
    return warn(
      `nobody has looked at the uWebSockets binary ${name}`,
      'Run with --http node, or with Node 20, 22 or 24.',
    );
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash === pin) return ok(`uWebSockets binary ${name} is the pinned one`);
  return error(
    `the uWebSockets binary ${path} is not the one that this version was made with`,
    'Install Varve again (in a clone: remove node_modules, then npm ci); until then run with --http node.',
  );
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
