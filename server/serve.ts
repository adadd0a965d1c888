// One run of the server: settings -> listen -> engine -> serve -> stop. Gives the exit code; never ends the process.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Engine, EngineEvent, Instant, LateRule } from '../engine/index.ts';
import { messageOf } from '../forward/errors.ts';
import { readBodySchema } from './api/schemas/read.ts';
import { prepareSchema } from './api/validation/validate.ts';
import { createApp } from './app.ts';
import type { AuthParts } from './auth/auth-parts.ts';
import { type Access, addOwnToken, auditForeign, openAccess } from './auth/open-auth.ts';
import type { TruthTags } from './codec/scalars/value-fit.ts';
import type { InnerCollector } from './commands/collect/inner-collector.ts';
import { doorProblemForms, type OpenDoors, openDoors } from './doors/doors.ts';
import { type MqttConfig, readMqttConfig } from './doors/mqtt/config/mqtt-config.ts';
import { MqttSources } from './doors/mqtt/mqtt-sources.ts';
import { ExitCode } from './exit-codes.ts';
import { createGate, type Gate } from './gate.ts';
import type { HttpServer } from './http/contract/http-server.ts';
import { createCrossSiteCheck } from './http/guard/cross-site.ts';
import { LiveHub } from './live/live-hub.ts';
import { type Log, logEvent, openLog } from './log.ts';
import { DroppedPoints } from './metrics/dropped-points.ts';
import { WriterFigures } from './metrics/writer-figures.ts';
import { type Companion, runCompanion } from './process/companion.ts';
import { encodingPlace } from './process/encoding-place.ts';
import { type EndReason, type EndWatch, watchForEnd } from './process/end-watch.ts';
import { isLoopback, reachableHost, urlHost } from './process/loopback.ts';
import { describeMemory, type MemoryPlan, memoryFacts, planMemory } from './process/memory-plan.ts';
import { StartFailure, toListenFailure, toOpenFailure } from './process/start-failure.ts';
import { type PageFiles, readPageFiles } from './routes/service/explorer-files.ts';
import {
  answerStyle,
  mostBodyBytes,
  type OpcUaBrowsing,
  pointHandling,
  type Service,
} from './routes/service/service.ts';
import { UsageError } from './settings/read-settings.ts';
import type { Settings } from './settings/settings.ts';
import { loadAskedParts } from './store/asked-parts.ts';
import { addressOf, checkCopySettings, openCopies, type RunningCopies } from './store/copies.ts';
import { checkEngineSettings, copyAges, openStore } from './store/open-store.ts';
import { createHttpServer } from './transport.ts';
import { VERSION } from './version.ts';
import { openViews } from './views/open-views.ts';
import type { ViewStore } from './views/view-store.ts';

const STOP_GRACE_MS = 30_000;
/** After the disk has failed the waiting requests only have to hear of it. */
const FAILED_GRACE_MS = 1_000;

const DEMO_DATASET = 'Demo';
/** Inside the data folder; no dataset's folder begins with a dot. */
const DEMO_STATE_FOLDER = '.demo';
/** Key and certificates for looking at servers of OPC UA, in the same place. */
const OPCUA_FOLDER = '.opcua';

const SENT_AHEAD =
  'A client sent a request ahead of the answer to its last one: the connection was closed, and neither was carried out. --http node answers such clients. This is said once.';

/** What a run holds while it runs. */
interface Run {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly watch: EndWatch;
  readonly gate: Gate;
  readonly access: Access;
  readonly memory: MemoryPlan;
  readonly server: HttpServer;
}

/** What is there once the data folder is open. */
interface Opened {
  readonly engine: Engine;
  readonly live: LiveHub;
  readonly doors: OpenDoors;
  readonly copies: RunningCopies | undefined;
}

/** Runs until a signal or a failure; resolves to the exit code. Rejects with a `UsageError` before it does anything. */
export async function serve(settings: Settings): Promise<ExitCode> {
  const log = openLog(settings['log-level']);
  try {
    return await runServer(settings, log);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (!(error instanceof StartFailure)) log.logger.fatal({ err: error }, 'The server failed.');
    else log.logger.fatal({ cause: String(error.cause) }, error.message);
    return error instanceof StartFailure ? error.exitCode : ExitCode.Failed;
  } finally {
    log.flush();
  }
}

async function runServer(settings: Settings, { logger }: Log): Promise<ExitCode> {
  const startMs = performance.now();
  const sourceConfig = readSources(settings);
  checkCopySettings(settings);
  checkEngineSettings(settings);
  await loadAskedParts(settings);
  const access = openAccess(settings, logger);
  const startCollector = await prepareCollector(settings, access, logger);
  const startOpcUa = await prepareOpcUaServer(settings, access, logger);
  const watch = watchForEnd();
  const gate = createGate();
  const memory = planMemory(memoryFacts());
  const parts = { settings, logger, gate, access, memory };
  const { server, sayFrontEnd } = createServer(parts);
  const run: Run = { ...parts, watch, server };
  const port = await listen(run);
  sayFrontEnd();
  const engine = await openOrEnd(run);
  if (engine === undefined) return endEarly(run);
  const views = await openSavedViews(run);
  const dropped = new DroppedPoints(logger);
  const sources = new MqttSources({ config: sourceConfig, engine, dropped, logger, ...sourceRules(settings) });
  const copies = await openCopies({ settings, engine, logger, ownAddress: addressOf(schemeOf(access), port) });
  let collector: InnerCollector | undefined;
  const collectors = { snapshots: () => collector?.snapshots() ?? [] };
  const beside = { sources, collectors, copies, writers: new WriterFigures(() => Date.now()) };
  const others = { views, ...beside, dropped, copiedUntilMs: copyAges(engine), ownScheme: schemeOf(access) };
  const service = { ...serviceOf(settings, engine, openExplorer(logger)), ...others };
  const live = new LiveHub({ engine, nowMs: service.nowMs, values: service.style.values });
  prepareSchema(readBodySchema);
  const doors = openDoors({ ...service, live }, settings['close-door']);
  run.gate.open(createApp({ ...service, live }, accessParts(run, port), doors.routes));
  const durationMs = Math.round(performance.now() - startMs);
  const encoding = encodingPlace(settings['encoding-thread']).description;
  logger.info({ durationMs, datasets: engine.datasets().length, encoding, memory: describeMemory(memory) }, 'Ready.');
  process.stdout.write(`Varve is listening on ${schemeOf(access)}://${urlHost(settings.host)}:${port}\n`);
  copies?.start();
  await sources.start();
  collector = startCollector?.(ownUrl(run, port));
  const opcUaServer = await startOpcUa?.(engine);
  const demo = await startDemo(run, engine, port);
  const reason = await watch.reason;
  await demo?.stop();
  // What is not stored the broker keeps, and the buffer of the collector.
  if (reason.code === ExitCode.Ok) await Promise.race([stopAll([sources, collector, opcUaServer]), watch.urgent]);
  return stop(run, { engine, live, doors, copies }, reason);
}

function readSources({ mqtt }: Settings): MqttConfig | undefined {
  if (mqtt === undefined) return undefined;
  return readMqttConfig(mqtt, { readFile: (path) => readFileSync(path, 'utf8'), environment: process.env });
}

async function stopAll(parts: readonly ({ stop(): Promise<void> } | undefined)[]): Promise<void> {
  await Promise.all(parts.map((part) => part?.stop()));
}

/** Its configuration is read, and its parts are loaded, before the server does anything. */
async function prepareCollector(
  { opcua }: Settings,
  access: Access,
  logger: Logger,
): Promise<((url: string) => InnerCollector) | undefined> {
  if (opcua === undefined) return undefined;
  const { InnerCollector, readInnerConfig } = await import('./commands/collect/inner-collector.ts');
  const config = readInnerConfig(opcua, access.tls !== undefined);
  const createToken = (dataset: string): string => addOwnToken(access, 'write', dataset);
  return (url) => InnerCollector.start(config, { url, createToken }, logger);
}

/** Its configuration is read before the server does anything. One that cannot listen does not end the server. */
async function prepareOpcUaServer(
  { 'opcua-server': path }: Settings,
  access: Access,
  logger: Logger,
): Promise<((engine: Engine) => Promise<{ stop(): Promise<void> } | undefined>) | undefined> {
  if (path === undefined) return undefined;
  const { OpcUaDoor } = await import('./doors/opcua/opcua-server.ts');
  const { readOpcUaServerConfig } = await import('./doors/opcua/opcua-config.ts');
  const config = readOpcUaServerConfig(path, (file) => readFileSync(file, 'utf8'));
  const now = (): Instant => ({ ms: Date.now(), ticks: 0 });
  return async (engine) => {
    try {
      return await OpcUaDoor.start({ config, engine, core: access, logger, now });
    } catch (error) {
      logger.error({ reason: messageOf(error), port: config.port }, 'OPC UA: the server does not start.');
      return undefined;
    }
  };
}

function ownUrl({ settings }: Run, port: number): string {
  return `http://${urlHost(reachableHost(settings.host))}:${port}`;
}

function sourceRules(settings: Settings): { truths: TruthTags; late: LateRule } {
  return { truths: answerStyle(settings.compat).truths, late: settings['door-late'] };
}

/** The demo plant keeps to a folder of its own: one that is empty, or where it was before. */
async function startDemo(run: Run, engine: Engine, port: number): Promise<Companion | undefined> {
  const { settings, logger, access } = run;
  const welcome = engine.hasDataset(DEMO_DATASET) || engine.datasets().length === 0;
  if (!settings.demo || !welcome) return undefined;
  if (access.tls !== undefined) {
    logger.warn(
      'The demo plant does not run with TLS: the certificate is for the names that others call the server by.',
    );
    return undefined;
  }
  const demo = await runCompanion({
    url: ownUrl(run, port),
    dataset: DEMO_DATASET,
    token: addOwnToken(access, 'write', DEMO_DATASET),
    stateFolder: `${settings.data}/${DEMO_STATE_FOLDER}`,
    log: (line) => logger.info({ demo: line }, 'Demo plant.'),
  });
  if (!demo) logger.warn('The demo plant is a program beside this one; bin/varve.mjs and `npm start` start it.');
  return demo;
}

function createServer({ settings, logger, gate, access, memory }: Omit<Run, 'server' | 'watch'>): {
  readonly server: HttpServer;
  /** To be called once it listens: a start that fails has one line to say. */
  readonly sayFrontEnd: () => void;
} {
  const { server, transport, notice } = createHttpServer(settings.http, {
    handler: gate.handler,
    serverName: `Varve/${VERSION}`,
    allowedHosts: settings['allow-host'],
    allowedOrigins: settings['allow-origin'],
    problemForms: doorProblemForms(settings['close-door']),
    ...(access.tls === undefined ? {} : { tls: access.tls }),
    bodiesInFlightBytes: memory.bodiesBytes,
    answersInFlightBytes: memory.answersBytes,
    allowHost: (request, kind) => access.hosts.allows(request, kind),
    onForeign: auditForeign(access.audit),
    proxies: settings.proxy,
    onSentAhead: sayOnce(() => logger.warn(SENT_AHEAD)),
    onError: (error, context) => logger.error({ err: error, context }, 'A request failed.'),
  });
  return { server, sayFrontEnd: () => notice !== undefined && logger.info({ transport }, notice) };
}

function sayOnce(say: () => void): () => void {
  let isSaid = false;
  return () => {
    if (!isSaid) say();
    isSaid = true;
  };
}

async function listen({ settings, server }: Run): Promise<number> {
  const { host, port } = settings;
  try {
    return await server.listen(host, port);
  } catch (error) {
    throw await toListenFailure(error, host, port);
  }
}

function accessParts({ settings, access }: Run, port: number): AuthParts {
  const allowedHosts = settings['allow-host'];
  const check = createCrossSiteCheck({ host: settings.host, port, allowedHosts, scheme: schemeOf(access) });
  return {
    ...access,
    hostKind: (host) => check.hostKind(host),
    clientTokenLifeMs: settings['client-token-life'],
  };
}

function schemeOf({ tls }: Access): 'http' | 'https' {
  return tls === undefined ? 'http' : 'https';
}

/** Undefined when the run is to end before the folder is open. */
async function openOrEnd(run: Run): Promise<Engine | undefined> {
  const { settings, watch, gate, server } = run;
  gate.setProgress('opening the data folder');
  try {
    const opening = openStore({
      settings,
      listener: (event) => onEvent(run, event),
      progress: (step) => gate.setProgress(step),
    });
    return await Promise.race([opening, watch.reason.then(() => undefined)]);
  } catch (error) {
    await server.close(0);
    throw toOpenFailure(error, settings.engine ?? settings.data);
  }
}

/** The engine holds the lock of the folder by now. */
async function openSavedViews({ settings, logger, gate }: Run): Promise<ViewStore | undefined> {
  // A server over a centre keeps nothing.
  if (settings.engine !== undefined) return undefined;
  gate.setProgress('reading the saved views');
  const options = { dataFolder: settings.data, reserveBytes: settings['disk-reserve'], nowMs: () => Date.now() };
  return openViews({ ...options, logger });
}

function openExplorer(logger: Logger): PageFiles | undefined {
  const explorer = readPageFiles();
  if (explorer === undefined)
    logger.warn('The Explorer page is not built; `node scripts/build-explorer.mjs` builds it.');
  return explorer;
}

function serviceOf(settings: Settings, engine: Engine, explorer: PageFiles | undefined): Service {
  return {
    engine,
    nowMs: () => Date.now(),
    style: answerStyle(settings.compat),
    handling: pointHandling(settings),
    maxBodyBytes: mostBodyBytes(settings),
    prometheusStaleMs: settings['prometheus-stale'],
    lineTemplate: settings['line-template'],
    doorLate: settings['door-late'],
    browsing: browsingOf(settings),
    explorer,
  };
}

/** A proxy, or another name, is for others. */
function browsingOf({ engine, data, host, proxy, 'allow-host': hosts }: Settings): OpcUaBrowsing | undefined {
  if (engine !== undefined) return undefined;
  const isOpenToAll = isLoopback(host) && proxy.length === 0 && hosts.length === 0;
  return { certificateFolder: join(data, OPCUA_FOLDER), isOpenToAll };
}

function onEvent({ logger, watch }: Run, event: EngineEvent): void {
  logEvent(logger, event);
  if (event.event === 'engine.poisoned') watch.report({ code: ExitCode.Io, message: event.message });
}

/** What is on disk is whole at any moment, so a recovery under way can simply be left. */
async function endEarly({ watch, server, logger }: Run): Promise<ExitCode> {
  const { code, message, error } = await watch.reason;
  logger.info({ reason: message, err: error }, 'Ended before the data folder was open.');
  await server.close(0);
  return code;
}

async function stop(run: Run, opened: Opened, reason: EndReason): Promise<ExitCode> {
  const { logger, watch, server } = run;
  const startMs = performance.now();
  logger.info({ reason: reason.message }, 'Stopping.');
  if (reason.code === ExitCode.Failed) {
    logger.fatal({ err: reason.error }, reason.message);
    return reason.code;
  }
  if (reason.code === ExitCode.Io) logger.fatal(`${reason.message} The next start recovers what is on disk.`);
  const orderly = reason.code === ExitCode.Ok ? closeAll(server, opened) : server.close(FAILED_GRACE_MS);
  const hurry = await Promise.race([orderly.then(() => undefined), watch.urgent]);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(2);
  if (hurry === undefined) {
    logger.info(`Stopped in ${seconds} s.`);
    return reason.code;
  }
  logger.warn(
    hurry.error === undefined ? {} : { err: hurry.error },
    `Stopped after ${seconds} s without finishing: ${hurry.message}.`,
  );
  return hurry.code === ExitCode.Ok ? ExitCode.Failed : hurry.code;
}

async function closeAll(server: HttpServer, { engine, live, doors, copies }: Opened): Promise<void> {
  engine.announceClose();
  const closed = server.close(STOP_GRACE_MS);
  live.stop(); // Streams that do not end by themselves.
  doors.close();
  await closed;
  await copies?.stop();
  await engine.close();
}
