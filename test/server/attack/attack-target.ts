// The server that is attacked, as a process of its own: the whole app over an engine, without tokens, with a short limit
// for readers that stop. Answers the message `figures` with a `TargetFigures` of the time since the last one.
//
// Run by target-process.ts: node --import tsx attack-target.ts <uws|node> <data folder> <ms until a reader is too slow>

import { openEngine } from '../../../engine/index.ts';
import { createApp } from '../../../server/app.ts';
import { Audit } from '../../../server/auth/audit/audit.ts';
import { createGate } from '../../../server/gate.ts';
import { createCrossSiteCheck } from '../../../server/http/guard/cross-site.ts';
import { answerStyle } from '../../../server/routes/service/service.ts';
import { createHttpServer, type TransportName } from '../../../server/transport.ts';
import { openTestAccess } from '../auth/support/access-parts.ts';
import { LoopPauses } from './loop-pauses.ts';

const SAMPLE_MS = 20;
const MAX_BODY_BYTES = 16 * 2 ** 20;

export interface TargetFigures {
  readonly rssBytes: number;
  /** The largest of the samples. */
  readonly peakRssBytes: number;
  readonly longestPauseMs: number;
  /** What the server reported as its own faults. */
  readonly errors: readonly string[];
}

export type TargetMessage = { readonly port: number } | { readonly figures: TargetFigures };

const [transport, folder, slowReaderMs] = process.argv.slice(2) as [TransportName, string, string];
const gate = createGate();
const errors: string[] = [];
const pauses = new LoopPauses();
let peakRssBytes = 0;

function sampleMemory(): number {
  const rssBytes = process.memoryUsage.rss();
  peakRssBytes = Math.max(peakRssBytes, rssBytes);
  return rssBytes;
}

function takeFigures(): TargetFigures {
  const rssBytes = sampleMemory();
  const figures = { rssBytes, peakRssBytes, longestPauseMs: pauses.takeLongestMs(), errors: errors.splice(0) };
  peakRssBytes = rssBytes;
  return figures;
}

function tell(message: TargetMessage): void {
  process.send?.(message);
}

async function start(): Promise<void> {
  const chosen = createHttpServer(transport, {
    handler: gate.handler,
    serverName: 'Varve/test',
    allowedHosts: [],
    slowReaderMs: Number(slowReaderMs),
    onError: (error, context) => errors.push(`${context}: ${error instanceof Error ? error.stack : String(error)}`),
  });
  if (chosen.transport !== transport) throw new Error(chosen.notice);
  const port = await chosen.server.listen('127.0.0.1', 0);
  const engine = await openEngine({ folder, durability: 'group', listener: () => {} });
  const check = createCrossSiteCheck({ host: '127.0.0.1', port, allowedHosts: [] });
  const app = createApp(
    {
      engine,
      nowMs: () => Date.now(),
      style: answerStyle(undefined),
      handling: 'strict',
      maxBodyBytes: MAX_BODY_BYTES,
    },
    {
      ...openTestAccess(`${folder}/tokens.json`, new Audit({ info: () => {} }), {
        nowMs: () => Date.now(),
        monotonicMs: () => performance.now(),
      }),
      hostKind: (host) => check.hostKind(host),
    },
    [],
  );
  gate.open(app);
  setInterval(sampleMemory, SAMPLE_MS).unref();
  process.on('message', () => tell({ figures: takeFigures() }));
  tell({ port });
}

await start();
