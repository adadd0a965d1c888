// The optional packages of the server of OPC UA, loaded when it is asked for: the client's package has the types of values.

import type * as Server from 'node-opcua-server';
import { loadOpcUa, type OpcUaLibrary } from '../../../collect/opcua/library.ts';

export interface OpcUaServerLibrary extends OpcUaLibrary {
  readonly server: typeof Server;
}

/** Rejects with the system's error where a package is missing. */
export async function loadOpcUaServer(): Promise<OpcUaServerLibrary> {
  const server = await import('node-opcua-server');
  return { ...(await loadOpcUa()), server };
}
