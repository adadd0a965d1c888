// A real OPC UA server for tests, over node-opcua-server: variables with and without history, started on a port of its own and
// again on the same one.

import { join } from 'node:path';
import { OPCUACertificateManager } from 'node-opcua-certificate-manager';
import { DataType, StatusCodes } from 'node-opcua-client';
import { OPCUAServer } from 'node-opcua-server';

export interface TestVariable {
  readonly name: string;
  readonly hasHistory?: boolean;
}

export interface ServerSetup {
  readonly folder: string;
  /** 0 is any that is free. */
  readonly port: number;
  readonly variables: readonly TestVariable[];
}

type Space = NonNullable<OPCUAServer['engine']['addressSpace']>;
type Variable = ReturnType<ReturnType<Space['getOwnNamespace']>['addAnalogDataItem']>;

const HISTORY_VALUES = 10_000;

export class OpcUaTestServer {
  readonly port: number;
  readonly #server: OPCUAServer;
  readonly #variables: ReadonlyMap<string, Variable>;

  private constructor(server: OPCUAServer, variables: ReadonlyMap<string, Variable>) {
    this.#server = server;
    this.#variables = variables;
    this.port = Number(new URL(server.getEndpointUrl()).port);
  }

  get url(): string {
    return `opc.tcp://127.0.0.1:${this.port}`;
  }

  static async start({ folder, port, variables }: ServerSetup): Promise<OpcUaTestServer> {
    const certificates = new OPCUACertificateManager({
      rootFolder: join(folder, 'pki'),
      automaticallyAcceptUnknownCertificate: true,
    });
    const server = new OPCUAServer({
      port,
      hostname: '127.0.0.1',
      host: '127.0.0.1',
      serverCertificateManager: certificates,
      userCertificateManager: certificates,
      alternateHostname: '127.0.0.1',
      isAuditing: false,
      userManager: { isValidUser: (user: string, password: string) => user === 'reader' && password === 'secret word' },
    });
    await server.initialize();
    const space = server.engine.addressSpace;
    if (space === null) throw new Error('BUG: no address space');
    const own = space.getOwnNamespace();
    const device = own.addObject({ browseName: 'Line1', organizedBy: space.rootFolder.objects });
    const added = new Map<string, Variable>();
    for (const { name, hasHistory } of variables) {
      const variable = own.addAnalogDataItem({
        browseName: name,
        nodeId: `s=Line1.${name}`,
        componentOf: device,
        dataType: 'Double',
        description: `The ${name} of line 1`,
        engineeringUnitsRange: { low: 0, high: 100 },
        engineeringUnits: {
          displayName: { text: '°C' },
          namespaceUri: 'units',
          unitId: 1,
          description: { text: '°C' },
        },
      });
      if (hasHistory) space.installHistoricalDataNode(variable, { maxOnlineValues: HISTORY_VALUES });
      added.set(name, variable);
    }
    await server.start();
    return new OpcUaTestServer(server, added);
  }

  /** Gives a variable a value of a time. */
  set(name: string, value: number, timeMs: number): void {
    const variable = this.#variables.get(name);
    if (variable === undefined) throw new Error(`no variable ${name}`);
    variable.setValueFromSource({ dataType: DataType.Double, value }, StatusCodes.Good, new Date(timeMs));
  }

  async stop(): Promise<void> {
    await this.#server.shutdown(0);
  }
}
