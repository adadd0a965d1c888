// The servers of OPC UA that users look at: one for each user, closed when it is left alone, and few at a time.

import {
  type BrowsedLevel,
  BrowsedServer,
  type EndpointOffer,
  readOffers,
} from '../../../collect/opcua/browsing/browsed-server.ts';
import { type CertificateStore, openCertificates } from '../../../collect/opcua/client-certificates.ts';
import { loadOpcUa, type OpcUaLibrary } from '../../../collect/opcua/library.ts';
import { type OpenerConfig, SessionOpener } from '../../../collect/opcua/session-opener.ts';
import { messageOf } from '../../../forward/errors.ts';
import { ProblemError } from '../../problem.ts';
import { loadPart, MissingPackage } from '../../process/optional-part.ts';

/** A server that nobody asks anything for so long is left. */
const IDLE_MS = 300_000;
const MOST_SESSIONS = 8;
const MOST_REASON_CHARS = 400;

export interface Trial extends Omit<OpenerConfig, 'certificateFolder'> {
  readonly endpoint: string;
}

export interface TrialResult {
  /** What the server offers to anybody who asks. */
  readonly offers: readonly EndpointOffer[];
  readonly isOpen: boolean;
  /** Why it is not, in words. */
  readonly reason?: string;
}

interface Looked {
  readonly server: BrowsedServer;
  timer: NodeJS.Timeout;
}

export class BrowseSessions {
  readonly #certificateFolder: string;
  readonly #open = new Map<string, Looked>();
  /** Users whose server is being opened. */
  readonly #opening = new Set<string>();
  #certificates: Promise<CertificateStore> | undefined;
  #isClosed = false;

  constructor(certificateFolder: string) {
    this.#certificateFolder = certificateFolder;
  }

  /** Leaves the server that the user looked at before. Throws a `ProblemError` where nothing can be tried. */
  async open(user: string, { endpoint, ...security }: Trial): Promise<TrialResult> {
    if (this.#opening.has(user))
      throw new ProblemError(409, 'An endpoint is being tried already; wait for its answer.');
    if (this.#open.size + this.#opening.size >= MOST_SESSIONS && !this.#open.has(user))
      throw new ProblemError(503, `${MOST_SESSIONS} servers are being looked at; try again in some minutes.`);
    this.#opening.add(user);
    try {
      await this.close(user);
      return await this.#try(user, endpoint, security);
    } finally {
      this.#opening.delete(user);
    }
  }

  /** Throws a `ProblemError`: 404 where the user has no server open, 502 where it does not answer. */
  async level(user: string, nodeId: string | undefined): Promise<BrowsedLevel> {
    const looked = this.#open.get(user);
    if (looked === undefined)
      throw new ProblemError(
        404,
        'No server is open: it was left alone for five minutes, or lost. Try its endpoint again.',
      );
    looked.timer.refresh();
    try {
      return await looked.server.level(nodeId);
    } catch (error) {
      throw new ProblemError(502, `The OPC UA server: ${messageOf(error).slice(0, MOST_REASON_CHARS)}`, {
        cause: error,
      });
    }
  }

  async close(user: string): Promise<void> {
    const looked = this.#open.get(user);
    if (looked === undefined) return;
    this.#open.delete(user);
    clearTimeout(looked.timer);
    await looked.server.close();
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open.keys()].map((user) => this.close(user)));
    await (await this.#certificates)?.dispose();
  }

  async #try(user: string, endpoint: string, security: Omit<Trial, 'endpoint'>): Promise<TrialResult> {
    const library = await loadLibrary();
    this.#certificates ??= openCertificates(library, this.#certificateFolder);
    const config = { ...security, certificateFolder: this.#certificateFolder };
    const opener = new SessionOpener(library, config, await this.#certificates);
    // The session says why when the server does not answer at all.
    const asked = readOffers(library, endpoint).catch(() => []);
    try {
      const server = await BrowsedServer.open(library, opener, endpoint);
      if (this.#isClosed) await server.close();
      else this.#keep(user, server);
      return { offers: await asked, isOpen: true };
    } catch (error) {
      return { offers: await asked, isOpen: false, reason: messageOf(error).slice(0, MOST_REASON_CHARS) };
    }
  }

  #keep(user: string, server: BrowsedServer): void {
    const timer = setTimeout(() => void this.close(user), IDLE_MS);
    timer.unref();
    this.#open.set(user, { server, timer });
  }
}

async function loadLibrary(): Promise<OpcUaLibrary> {
  try {
    return await loadPart('Looking at a server of OPC UA', loadOpcUa);
  } catch (error) {
    throw error instanceof MissingPackage ? new ProblemError(501, error.message, { cause: error }) : error;
  }
}
