// Commands for a shell that bring the first points to an empty server, and get them back.

import { quote, tokenHeader } from './shell-quote.ts';

export interface CommandTarget {
  /** Address of the server, as the browser reaches it. */
  readonly origin: string;
  readonly dataset: string;
  /** They send the token in the variable `VARVE_TOKEN`. */
  readonly hasToken: boolean;
}

/** Asks for the token without showing it, in bash and zsh. */
export const TOKEN_COMMAND = 'read -rs VARVE_TOKEN';

const FIRST_TAG = 'Temperature';

/** One point at the server's present time. */
export function formatFirstWrite(target: CommandTarget): string {
  return `curl ${tokenHeader(target.hasToken)}${quote(dataUrl(target))} -d '{"${FIRST_TAG}":[{"v":21.5}]}'`;
}

/** What is in force now. */
export function formatFirstRead(target: CommandTarget): string {
  return `curl ${tokenHeader(target.hasToken)}${quote(`${dataUrl(target)}?tagname=${FIRST_TAG}`)}`;
}

function dataUrl({ origin, dataset }: CommandTarget): string {
  return `${origin}/api/datasets/${encodeURIComponent(dataset)}/data`;
}

/** A way in which Varve is installed, as in docs/install.md. */
export interface InstallWay {
  readonly name: string;
  /** What stands for `varve`. */
  readonly program: string;
  readonly config: string;
  /** Path that the simulator may write to; undefined: beside the configuration. */
  readonly state?: string;
  /** Inside a container the server has another address, and no variable of the shell. */
  readonly isContainer?: boolean;
}

export const INSTALL_WAYS: readonly InstallWay[] = [
  { name: 'clone', program: 'node bin/varve.mjs', config: 'demo/plant.json' },
  {
    name: 'npm install -g',
    program: 'varve',
    config: '"$(npm root -g)/varve/program/demo/plant.json"',
    state: 'plant.state',
  },
  {
    name: 'npm install, in its folder',
    program: 'npx varve',
    config: 'node_modules/varve/program/demo/plant.json',
    state: 'plant.state',
  },
  {
    name: 'npx, without installing',
    program: 'npx --package ./varve-*.tgz varve',
    config: 'package/program/demo/plant.json',
    state: 'plant.state',
  },
  {
    name: 'tar, without npm',
    program: 'node package/bin/varve.mjs',
    config: 'package/program/demo/plant.json',
    state: 'plant.state',
  },
  {
    name: 'Debian package',
    program: 'varve',
    config: '/opt/varve/program/demo/plant.json',
    state: 'plant.state',
  },
  {
    name: 'container',
    program: 'varve',
    config: '/opt/varve/program/demo/plant.json',
    state: '/tmp/plant.state',
    isContainer: true,
  },
];

/** A week of history, then live until it is stopped. */
export function formatSimulate(way: InstallWay, { origin, dataset, hasToken }: CommandTarget): string {
  const { program, config, state, isContainer = false } = way;
  const token = 'SIMULATOR_TOKEN="$VARVE_TOKEN"';
  const flags = [
    `--config ${config}`,
    `--dataset ${quote(dataset)}`,
    ...(isContainer ? [] : [`--url ${quote(origin)}`]),
    ...(state === undefined ? [] : [`--state ${state}`]),
  ].join(' ');
  if (isContainer) return `docker exec ${hasToken ? `-e ${token} ` : ''}varve ${program} simulate ${flags}`;
  // The package is not unpacked yet, but the configuration lies in it.
  const unpack = program.startsWith('npx --package') ? `tar -xzf varve-*.tgz ${config} && ` : '';
  return `${unpack}${hasToken ? `${token} ` : ''}${program} simulate ${flags}`;
}

/** A file of the user's, checked and sent. */
export function formatImport({ program, isContainer = false }: InstallWay, target: CommandTarget): string {
  const { origin, dataset, hasToken } = target;
  const token = hasToken ? 'VARVE_TOKEN="$VARVE_TOKEN" ' : '';
  const into = `--dataset ${quote(dataset)}`;
  // The file lies outside of the container.
  if (isContainer)
    return `docker exec -i ${hasToken ? `-e ${token}` : ''}varve ${program} import - ${into} < history.csv`;
  return `${token}${program} import history.csv ${into} --url ${quote(origin)}`;
}

/** A dataset name that these patterns allow. */
export function exampleDataset(patterns: readonly string[], wanted: string): string {
  const [first = '*'] = patterns;
  return patterns.includes('*') ? wanted : first.replaceAll('*', '1');
}
