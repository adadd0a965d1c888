// The demo plant beside a server: the simulator as a child process on `demo/plant.json`, and now and then a status 24, as of
// a collector that has lost its data source, with the 192 of its return.

import { type ChildProcess, spawn } from 'node:child_process';
import { extname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { HttpLink } from '../client/http-link.ts';
import { messageOf } from '../forward/errors.ts';
import { HistorianClient } from '../forward/historian-client.ts';
import { sleep } from '../forward/sleep.ts';
import { TOKEN_VARIABLE } from './arguments.ts';

export interface DemoOptions {
  /** Address of the server, as `http://127.0.0.1:4511`. */
  readonly url: string;
  readonly dataset: string;
  /** Folder of the running state; made when missing. */
  readonly stateFolder: string;
  readonly token?: string;
  readonly log: (line: string) => void;
}

export interface Demo {
  /** Ends the simulator in order; resolves when it is gone. To be called while the server still answers. */
  stop(): Promise<void>;
}

const STOP_LIMIT_MS = 8000;
const OUTAGE_INTERVAL_MS = 15 * 60_000;
const OUTAGE_MS = 3000;
const QUALITY_GOOD = 192;
const QUALITY_SOURCE_LOST = 24;

export function startDemo(options: DemoOptions): Demo {
  const child = startSimulator(options);
  const ended = new Promise<void>((resolve) => {
    // Not `close`, which does not come after a disconnect.
    child.once('exit', (code) => {
      if (code !== 0) options.log(`the demo plant's simulator ended with ${code}`);
      resolve();
    });
    child.once('error', (error) => {
      options.log(`the demo plant's simulator cannot be started: ${error.message}`);
      resolve();
    });
  });
  const stopping = new AbortController();
  const outages = postOutages(options, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      // The child takes the end of the channel for the wish to stop; so it also ends when this process is killed.
      if (child.connected) child.disconnect();
      const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(limit);
      await outages;
    },
  };
}

function startSimulator({ url, dataset, stateFolder, token, log }: DemoOptions): ChildProcess {
  const args = ['--config', fileURLToPath(new URL('../demo/plant.json', import.meta.url))];
  args.push('--dataset', dataset, '--url', url, '--state', resolve(stateFolder));
  const child = spawn(process.execPath, [...simulatorProgram(), ...args], {
    // Not among the arguments, which every account of the machine can list.
    env: { ...process.env, ...(token === undefined ? {} : { [TOKEN_VARIABLE]: token }) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', log);
  return child;
}

/** In a clone it is TypeScript, which needs its loader; in a package it is JavaScript, as this file is. */
function simulatorProgram(): string[] {
  const ending = extname(fileURLToPath(import.meta.url));
  const main = fileURLToPath(new URL(`./main${ending}`, import.meta.url));
  return ending === '.ts' ? ['--import', import.meta.resolve('tsx'), main] : [main];
}

async function postOutages({ url, dataset, token, log }: DemoOptions, signal: AbortSignal): Promise<void> {
  const link = new HttpLink({ baseUrl: new URL(url), token }, { connections: 1, program: 'Varve simulator' });
  const client = new HistorianClient(link, dataset);
  while (!signal.aborted) {
    await sleep(OUTAGE_INTERVAL_MS, signal);
    if (signal.aborted) break;
    try {
      await client.postStatus(QUALITY_SOURCE_LOST, Date.now());
      await sleep(OUTAGE_MS, signal);
      await client.postStatus(QUALITY_GOOD, Date.now());
    } catch (error) {
      log(`the demo plant's status was not posted: ${messageOf(error)}`);
    }
  }
  link.close();
}
