// Opens a session with one endpoint, within a time; says in words why it does not open.

import type { ClientSession, OPCUAClient, UserIdentityInfo } from 'node-opcua-client';
import { messageOf } from '../../forward/errors.ts';
import { atMost } from '../../forward/sleep.ts';
import type { CollectConfig } from '../config.ts';
import type { CertificateStore } from './client-certificates.ts';
import type { OpcUaLibrary } from './library.ts';

const OPEN_LIMIT_MS = 10_000;
const CLOSE_LIMIT_MS = 3_000;
const SESSION_MS = 30_000;
const TRANSACTION_MS = 20_000;
const SERVICE_LEVEL = 'ns=0;i=2267';
/** A server that does not say how well it serves, serves well. */
const FULL_SERVICE = 255;

export interface OpenSession {
  readonly endpoint: string;
  readonly client: OPCUAClient;
  readonly session: ClientSession;
}

export type OpenerConfig = Pick<
  CollectConfig,
  'securityPolicy' | 'securityMode' | 'user' | 'password' | 'certificateFolder'
>;

export class SessionOpener {
  readonly #library: OpcUaLibrary;
  readonly #config: OpenerConfig;
  readonly #certificates: CertificateStore;

  constructor(library: OpcUaLibrary, config: OpenerConfig, certificates: CertificateStore) {
    this.#library = library;
    this.#config = config;
    this.#certificates = certificates;
  }

  /** Rejects with an error whose message a user understands. */
  async open(endpoint: string): Promise<OpenSession> {
    const client = this.#create();
    try {
      const opening = client.connect(endpoint).then(() => client.createSession2(this.#identity()));
      const session = await atMost(OPEN_LIMIT_MS, opening);
      if (session === undefined) throw new Error('it does not answer');
      return { endpoint, client, session };
    } catch (error) {
      await atMost(CLOSE_LIMIT_MS, client.disconnect()).catch(() => undefined);
      throw new Error(this.#words(messageOf(error)), { cause: error });
    }
  }

  async readServiceLevel({ session }: OpenSession): Promise<number> {
    const { AttributeIds } = this.#library.client;
    const answer = await session.read({ nodeId: SERVICE_LEVEL, attributeId: AttributeIds.Value });
    return answer.statusCode.isGood() && typeof answer.value.value === 'number' ? answer.value.value : FULL_SERVICE;
  }

  /** `for good` also ends its subscriptions; else the server keeps them for a while. */
  async close({ session, client }: OpenSession, how: 'for good' | 'for the next connection'): Promise<void> {
    await atMost(CLOSE_LIMIT_MS, session.close(how === 'for good')).catch(() => undefined);
    await atMost(CLOSE_LIMIT_MS, client.disconnect()).catch(() => undefined);
  }

  #create(): OPCUAClient {
    const { client } = this.#library;
    const { securityMode, securityPolicy } = this.#config;
    return client.OPCUAClient.create({
      applicationName: 'Varve collector',
      clientName: 'Varve collector',
      clientCertificateManager: this.#certificates,
      securityMode: client.MessageSecurityMode[securityMode as 'None'],
      securityPolicy: client.SecurityPolicy[securityPolicy as 'None'],
      endpointMustExist: false,
      keepSessionAlive: true,
      requestedSessionTimeout: SESSION_MS,
      defaultTransactionTimeout: TRANSACTION_MS,
      // One connection is one life: the source opens the next one, with whichever server is the best then.
      connectionStrategy: { initialDelay: 100, maxDelay: 200, maxRetry: 0 },
    });
  }

  #identity(): UserIdentityInfo {
    const { UserTokenType } = this.#library.client;
    const { user, password } = this.#config;
    if (user === undefined) return { type: UserTokenType.Anonymous };
    return { type: UserTokenType.UserName, userName: user, password: password ?? '' };
  }

  #words(message: string): string {
    const folder = this.#config.certificateFolder;
    const known: readonly (readonly [RegExp, string])[] = [
      // The library's sentence for a server that is away ends in "to collect server's certificate".
      [/ECONNREFUSED|Fail to connect to server/, 'nothing listens there'],
      [/ENOTFOUND|EAI_AGAIN/, 'the name of its host is not known'],
      [/BadIdentityToken|BadUserAccessDenied/, 'it refuses the user or the password'],
      [
        /cannot find an? (suitable|matching)? ?endpoint|BadSecurityPolicyRejected|BadSecurityModeRejected/i,
        `it does not offer ${this.#config.securityPolicy} with ${this.#config.securityMode}`,
      ],
      [
        /Certificate|BadSecurityChecksFailed|disconnected by third party/i,
        `the certificates are not accepted: let the server trust the one in ${folder}/own/certs, ` +
          `and move the server's from ${folder}/rejected to ${folder}/trusted/certs`,
      ],
    ];
    const isSecured = this.#config.securityPolicy !== 'None';
    const words = (isSecured ? known : known.slice(0, -1)).find(([pattern]) => pattern.test(message))?.[1];
    const first = message.split('\n')[0]?.slice(0, 200) ?? '';
    return words === undefined ? first : `${words} (${first})`;
  }
}
