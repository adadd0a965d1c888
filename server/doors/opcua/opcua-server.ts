// The server of OPC UA, for reading: sessions, and the tags that they see. It has no methods and takes no writes.

import { chmod, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { DataValue } from 'node-opcua-client';
import type { OPCUAServer, ServerSession } from 'node-opcua-server';
import type { Logger } from 'pino';
import { type CertificateStore, openCertificates } from '../../../collect/opcua/client-certificates.ts';
import { AGGREGATE_NAMES, type Engine, type Instant } from '../../../engine/index.ts';
import { messageOf } from '../../../forward/errors.ts';
import { sleep } from '../../../forward/sleep.ts';
import type { AuthCore } from '../../auth/auth-core.ts';
import { VERSION } from '../../version.ts';
import { valuesOf } from './data-values.ts';
import { answerHistory } from './history-reads.ts';
import { loadOpcUaServer, type OpcUaServerLibrary } from './library.ts';
import type { OpcUaServerConfig } from './opcua-config.ts';
import { SessionAccess } from './session-access.ts';
import { type Place, TagSpace } from './tag-space.ts';

const LOOK_MS = 5000;
const MOST_SESSIONS = 20;
/** One request for more variables would be held in memory at once, a page of each. */
const HISTORY_NODES = 20;
const NODES_PER_CALL = 1000;
const KEY_MODE = 0o600;
/** The folders of functions, of the server and of its histories. */
const AGGREGATE_FOLDERS = ['ns=0;i=2997', 'ns=0;i=11201'];

export interface OpcUaServerParts {
  readonly config: OpcUaServerConfig;
  readonly engine: Engine;
  readonly core: AuthCore;
  readonly logger: Logger;
  readonly now: () => Instant;
}

export class OpcUaDoor {
  readonly #parts: OpcUaServerParts;
  readonly #library: OpcUaServerLibrary;
  readonly #server: OPCUAServer;
  readonly #certificates: CertificateStore;
  readonly #access: SessionAccess;
  readonly #stop = new AbortController();
  #space: TagSpace | undefined;
  #looking: Promise<void> = Promise.resolve();

  private constructor(parts: OpcUaServerParts, library: OpcUaServerLibrary, certificates: CertificateStore) {
    this.#parts = parts;
    this.#library = library;
    this.#certificates = certificates;
    this.#access = new SessionAccess(parts.core, parts.config.anonymous);
    this.#server = this.#create();
  }

  /** Resolves when it listens. Rejects where the port is taken, or the folder of certificates cannot be used. */
  static async start(parts: OpcUaServerParts): Promise<OpcUaDoor> {
    const library = await loadOpcUaServer();
    const { certificateFolder } = parts.config;
    const certificates = await openCertificates(library, certificateFolder);
    const door = new OpcUaDoor(parts, library, certificates);
    try {
      await door.#open();
    } catch (error) {
      await door.stop();
      throw error;
    }
    const keys = join(certificateFolder, 'own', 'private');
    for (const name of await readdir(keys)) await chmod(join(keys, name), KEY_MODE);
    return door;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#looking;
    await this.#server.shutdown(0);
    await this.#certificates.dispose();
  }

  #create(): OPCUAServer {
    const { client, server } = this.#library;
    const { host, port, securityPolicies, anonymous } = this.#parts.config;
    const { MessageSecurityMode, SecurityPolicy } = client;
    const hasNone = securityPolicies.includes('None');
    const hasOthers = securityPolicies.some((name) => name !== 'None');
    const access = this.#access;
    return new server.OPCUAServer({
      host,
      port,
      hostname: host === '0.0.0.0' || host === '::' ? hostname() : host,
      alternateHostname: host === '127.0.0.1' ? host : [],
      serverInfo: {
        applicationUri: `urn:${hostname()}:varve`,
        productUri: 'urn:varve',
        applicationName: { text: 'Varve' },
      },
      buildInfo: { productName: 'Varve', softwareVersion: VERSION, manufacturerName: 'Varve' },
      serverCertificateManager: this.#certificates,
      userCertificateManager: this.#certificates,
      securityPolicies: securityPolicies.map((name) => SecurityPolicy[name]),
      securityModes: [
        ...(hasNone ? [MessageSecurityMode.None] : []),
        ...(hasOthers ? [MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt] : []),
      ],
      allowAnonymous: anonymous,
      isAuditing: false,
      userManager: {
        isValidUser(this: ServerSession, _user: string, password: string) {
          return access.admit(this, password);
        },
      },
      serverCapabilities: new server.ServerCapabilities({
        maxSessions: MOST_SESSIONS,
        operationLimits: {
          maxNodesPerRead: NODES_PER_CALL,
          maxNodesPerBrowse: NODES_PER_CALL,
          maxNodesPerTranslateBrowsePathsToNodeIds: NODES_PER_CALL,
          maxMonitoredItemsPerCall: NODES_PER_CALL,
          maxNodesPerHistoryReadData: HISTORY_NODES,
        },
      }),
    });
  }

  async #open(): Promise<void> {
    const server = this.#server;
    await server.initialize();
    const space = server.engine.addressSpace;
    if (space === null) throw new Error('BUG: no address space');
    const { engine, config, logger } = this.#parts;
    const { datasets, mostTags } = config;
    this.#space = new TagSpace({
      library: this.#library,
      space,
      engine,
      datasets,
      mostTags,
      read: (place) => this.#readNewest(place),
      readHistory: (place, details, { continuationPoint, releaseContinuationPoints }, session) => {
        if (!this.#mayRead(session as ServerSession, place)) return this.#refuseHistory();
        const source = { ...this.#sourceOf(place), now: this.#parts.now };
        const point = continuationPoint?.length ? continuationPoint.toString() : undefined;
        return answerHistory(source, details, { point, isReleased: releaseContinuationPoints === true });
      },
    });
    this.#showFunctions();
    server.on('create_session', (session: ServerSession) => this.#guard(session));
    server.on('session_activated', (session: ServerSession, identity: unknown) => {
      if (identity instanceof this.#library.client.AnonymousIdentityToken) this.#access.forget(session);
    });
    await server.start();
    logger.info({ endpoint: server.getEndpointUrl() }, 'OPC UA: listening.');
    this.#looking = this.#look(this.#space);
  }

  /** Nodes of datasets are for who may read these; nothing is written, and nothing called. */
  #guard(session: ServerSession): void {
    const { PermissionFlag } = this.#library.client;
    const context = session.sessionContext;
    const usual = context.checkPermission.bind(context);
    const reads = [PermissionFlag.Browse, PermissionFlag.Read, PermissionFlag.ReadHistory];
    context.checkPermission = (node, permission) => {
      const place = this.#space?.placeOf(node);
      if (place !== undefined)
        return reads.some((read) => Number(read) === Number(permission)) && this.#mayRead(session, place);
      return (
        Number(permission) !== PermissionFlag.Write &&
        Number(permission) !== PermissionFlag.Call &&
        usual(node, permission)
      );
    };
  }

  #mayRead(session: ServerSession, { dataset }: Place): boolean {
    return this.#access.mayRead(session, dataset);
  }

  async #refuseHistory(): ReturnType<typeof answerHistory> {
    const { client } = this.#library;
    return new client.HistoryReadResult({ statusCode: client.StatusCodes.BadUserAccessDenied });
  }

  #readNewest(place: Place): DataValue {
    const { client } = this.#library;
    const { engine, dataset, tag } = this.#sourceOf(place);
    try {
      const read = engine.read(dataset, {
        tags: [tag],
        range: { kind: 'newest' },
        carryIn: false,
        skipMissing: false,
        limit: undefined,
        after: [],
      });
      const cursor = read.open(0);
      const chunk = cursor.next();
      cursor.close();
      if (chunk instanceof Promise) throw new Error('BUG: the newest point of a data folder has to be waited for');
      const [value] = chunk === undefined ? [] : valuesOf(client, chunk);
      return value ?? new client.DataValue({ statusCode: client.StatusCodes.BadWaitingForInitialData });
    } catch (error) {
      this.#parts.logger.debug({ reason: messageOf(error) }, 'OPC UA: a value could not be read.');
      return new client.DataValue({ statusCode: client.StatusCodes.BadResourceUnavailable });
    }
  }

  #sourceOf({ dataset, tag = '' }: Place) {
    return { engine: this.#parts.engine, client: this.#library.client, dataset, tag };
  }

  /** Clients find there what they may ask for. */
  #showFunctions(): void {
    const { AggregateFunction } = this.#library.client;
    const space = this.#server.engine.addressSpace;
    for (const id of AGGREGATE_FOLDERS) {
      const folder = space?.findNode(id);
      for (const name of AGGREGATE_NAMES) {
        const number = AggregateFunction[name as keyof typeof AggregateFunction] as number | undefined;
        const node = number === undefined ? undefined : space?.findNode(`ns=0;i=${number}`);
        if (folder && node) folder.addReference({ referenceType: 'Organizes', nodeId: node });
      }
    }
  }

  async #look(space: TagSpace): Promise<void> {
    const { signal } = this.#stop;
    let told: number | undefined;
    while (!signal.aborted) {
      try {
        const leftOut = await space.update(() => signal.aborted);
        if (leftOut !== told) this.#tell(space, leftOut);
        told = leftOut;
      } catch (error) {
        this.#parts.logger.warn({ reason: messageOf(error) }, 'OPC UA: the tags could not be looked at.');
      }
      await sleep(LOOK_MS, signal);
    }
  }

  #tell({ tagCount, datasetCount }: TagSpace, leftOut: number): void {
    const { logger, config } = this.#parts;
    logger.info({ tags: tagCount, datasets: datasetCount }, 'OPC UA: the tags are shown.');
    if (leftOut === 0) return;
    logger.warn({ leftOut, mostTags: config.mostTags }, "OPC UA: tags beyond 'mostTags' are left out.");
  }
}
