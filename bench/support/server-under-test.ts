// The real server in a process of its own, for measurements: as people start it in a clone, built; or from its sources.

import { fileURLToPath } from 'node:url';
import { launch, MeasuredProcess } from './measured-process.ts';

const PROJECT_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const READY = /Varve is listening on (http:\/\/\S+)/;

export interface ServerOptions {
  /** Flags of the server besides its folder and port. */
  readonly flags?: readonly string[];
  /** A module that the server's process loads first; it may talk to us by messages. */
  readonly preload?: string;
  /** Project whose server is started; this one when absent. */
  readonly project?: string;
}

let program: 'built' | 'sources' = 'built';

/** From now on servers run from their TypeScript sources. */
export function measureSources(): void {
  program = 'sources';
}

export class ServerUnderTest extends MeasuredProcess {
  /** Starts the server on a free port over a data folder. Rejects when it does not become ready. */
  static async start(dataFolder: string, options: ServerOptions = {}): Promise<ServerUnderTest> {
    const launched = await launch({
      args: argumentsFor(dataFolder, options),
      ready: READY,
      channel: options.preload === undefined ? 'none' : 'messages',
      cwd: options.project ?? PROJECT_FOLDER,
    });
    return new ServerUnderTest(launched);
  }

  /** SIGTERM; resolves to the ms until the process is gone. Rejects when it does not end, or ends with an error. */
  async stop(): Promise<number> {
    const elapsedMs = await this.end('SIGTERM');
    const { exitCode, signalCode } = this.child;
    if (exitCode !== 0)
      throw new Error(`the server ended with ${signalCode ?? `code ${exitCode}`}; want code 0${this.lastLog}`);
    return elapsedMs;
  }
}

function argumentsFor(dataFolder: string, { flags = [], preload }: ServerOptions): string[] {
  // Requests are made before the port is known, so their Host has none.
  const host = ['--port', '0', '--allow-host', '127.0.0.1'];
  const entry = program === 'built' ? ['bin/varve.mjs', 'serve'] : ['server/main.ts'];
  return [...loadersFor(preload), ...entry, '--data', dataFolder, ...host, '--log-level', 'error', ...flags];
}

/** The module that is loaded first is TypeScript, also before a built server. */
function loadersFor(preload: string | undefined): string[] {
  if (preload !== undefined) return ['--import', 'tsx', '--import', preload];
  return program === 'built' ? [] : ['--import', 'tsx'];
}

/** Starts a server, hands it to `work`, and sees that it ends: in order, or by force after a failure. */
export async function withServer<T>(
  dataFolder: string,
  options: ServerOptions,
  work: (server: ServerUnderTest) => Promise<T>,
): Promise<T> {
  const server = await ServerUnderTest.start(dataFolder, options);
  try {
    const result = await work(server);
    await server.stop();
    return result;
  } finally {
    await server.kill();
  }
}
