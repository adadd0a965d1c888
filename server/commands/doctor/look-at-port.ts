// The doctor's look at the port: free, ours, or whose.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { isLoopback } from '../../process/loopback.ts';
import { askWhoListens } from '../../process/start-failure.ts';
import type { Settings } from '../../settings/settings.ts';
import { error, type Finding, ok, warn } from './finding.ts';

/** State LISTEN in /proc/net/tcp. */
const LISTENING = '0A';

/** `holderPid`: the process that has the data folder, which may well have the port, too. */
export async function lookAtPort({ host, port }: Settings, holderPid: number | undefined): Promise<Finding> {
  if (port === 0) return ok('the server will choose a port');
  const code = await tryToListen(host, port);
  if (code === undefined) return ok(`${host}:${port} is free`);
  if (code === 'EADDRINUSE') return takenFinding(host, port, holderPid);
  if (code === 'EACCES')
    return error(`this account may not listen on port ${port}`, 'Choose one from 1024 up with --port.');
  return error(`${host} cannot be listened on: ${code}`, 'Give --host an address of this machine.');
}

export function lookAtReach(settings: Settings, hasTokens: boolean): Finding[] {
  if (isLoopback(settings.host) || hasTokens) return [];
  return [
    warn(
      `${settings.host} is open to other machines, and there are no tokens`,
      'Make one with varve token create --role admin, or leave --host out.',
    ),
  ];
}

async function takenFinding(host: string, port: number, holderPid: number | undefined): Promise<Finding> {
  const pid = findListener(port);
  if (pid !== undefined && pid === holderPid)
    return ok(`${host}:${port} is served by process ${pid}, which has the data folder`);
  const who = await askWhoListens(host, port);
  const whose = pid === undefined ? who : `${who}, process ${pid} (${commandOf(pid)})`;
  return error(`${host}:${port} is in use by ${whose}`, 'End that one, or choose another port with --port.');
}

/** The system's code of the refusal; undefined when it works. */
function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (refusal: NodeJS.ErrnoException) => resolve(refusal.code ?? refusal.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** The process that listens on a port, as far as this account may see; Linux only. */
function findListener(port: number): number | undefined {
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => listenerInodes(path, port)));
  if (inodes.size === 0) return undefined;
  for (const name of listOf('/proc')) {
    if (/^\d+$/.test(name) && holdsSocket(`/proc/${name}/fd`, inodes)) return Number(name);
  }
  return undefined;
}

function listenerInodes(path: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return textOf(path)
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((cells) => cells[1]?.endsWith(suffix) && cells[3] === LISTENING)
    .map((cells) => cells[9] ?? '');
}

function holdsSocket(folder: string, inodes: ReadonlySet<string>): boolean {
  return listOf(folder).some((name) => {
    try {
      return inodes.has(/^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${name}`))?.[1] ?? '');
    } catch {
      return false; // closed meanwhile
    }
  });
}

function commandOf(pid: number): string {
  return textOf(`/proc/${pid}/comm`).trim();
}

/** Other people's processes, and systems without /proc, say nothing. */
function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
