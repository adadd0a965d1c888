// A real OPC UA server for tests, over node-opcua-server: variables with and without history, started on a port of its own and
// again on the same one.

import { join } from 'node:path';
import { OPCUACertificateManager } from 'node-opcua-certificate-manager';
import { DataType, DataValue, HistoryData, HistoryReadResult, StatusCodes, Variant } from 'node-opcua-client';
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
type UAObject = ReturnType<ReturnType<Space['getOwnNamespace']>['addObject']>;
type Variable = ReturnType<ReturnType<Space['getOwnNamespace']>['addAnalogDataItem']>;

type Value = ConstructorParameters<typeof Variant>[0] & {};

const SERVICE_LEVEL = 'ns=0;i=2267';
const HISTORY_VALUES = 10_000;

export class OpcUaTestServer {
  readonly #server: OPCUAServer;
  readonly #device: UAObject;
  readonly #variables = new Map<string, Variable>();
  #port = 0;

  private constructor(server: OPCUAServer, device: UAObject) {
    this.#server = server;
    this.#device = device;
  }

  /** Stays known when it has stopped. */
  get port(): number {
    return this.#port;
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
    const space = spaceOf(server);
    const own = space.getOwnNamespace();
    const device = own.addObject({ browseName: 'Line1', organizedBy: space.rootFolder.objects });
    const started = new OpcUaTestServer(server, device);
    for (const variable of variables) started.add(variable);
    await server.start();
    started.#port = Number(new URL(server.getEndpointUrl()).port);
    return started;
  }

  /** Adds a variable, also while it runs. */
  add({ name, hasHistory }: TestVariable): void {
    const space = spaceOf(this.#server);
    const variable = space.getOwnNamespace().addAnalogDataItem({
      browseName: name,
      nodeId: `s=Line1.${name}`,
      componentOf: this.#device,
      dataType: 'Double',
      // Every value is given, not only those at moments when the server looks.
      minimumSamplingInterval: 0,
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
    this.#variables.set(name, variable);
  }

  /** Adds a variable that may have values of any type and shape. */
  addAny(name: string, first: Value): void {
    const variable = spaceOf(this.#server)
      .getOwnNamespace()
      .addVariable({
        browseName: name,
        nodeId: `s=Line1.${name}`,
        componentOf: this.#device,
        dataType: 'BaseDataType',
        valueRank: -2,
        minimumSamplingInterval: 0,
        value: first,
      });
    this.#variables.set(name, variable as Variable);
  }

  setAny(name: string, value: Value): void {
    this.#variables.get(name)?.setValueFromSource(value, StatusCodes.Good, new Date());
  }

  /** Answers every page of the history of a variable with the same values and a word that there are more; gives how many so far. */
  giveEndlessHistory(name: string, timeMs: number): () => number {
    const variable = this.#variables.get(name) as unknown as { historyRead: () => Promise<HistoryReadResult> };
    let pageCount = 0;
    variable.historyRead = async () => {
      pageCount++;
      const sourceTimestamp = new Date(timeMs);
      const dataValues = [new DataValue({ value: { dataType: DataType.Double, value: 7 }, sourceTimestamp })];
      return new HistoryReadResult({
        statusCode: StatusCodes.Good,
        continuationPoint: Buffer.from('again'),
        historyData: new HistoryData({ dataValues }),
      });
    };
    return () => pageCount;
  }

  remove(name: string): void {
    const variable = this.#variables.get(name);
    if (variable !== undefined) spaceOf(this.#server).deleteNode(variable);
    this.#variables.delete(name);
  }

  /** Gives a variable a value of a time; one that is removed has none. */
  set(name: string, value: number, timeMs: number): void {
    const source = new Date(timeMs);
    this.#variables.get(name)?.setValueFromSource({ dataType: DataType.Double, value }, StatusCodes.Good, source);
  }

  /** Its ServiceLevel. */
  setLevel(level: number): void {
    const variable = spaceOf(this.#server).findNode(SERVICE_LEVEL) as Variable;
    variable.bindVariable({ get: () => new Variant({ dataType: DataType.Byte, value: level }) }, true);
  }

  async stop(): Promise<void> {
    await this.#server.shutdown(0);
  }
}

function spaceOf(server: OPCUAServer): Space {
  const space = server.engine.addressSpace;
  if (space === null) throw new Error('BUG: no address space');
  return space;
}
