// The optional packages of OPC UA, loaded when a collector starts. The client's own lines of a log are silenced: they name
// addresses and certificates, and the collector says in words what happens.

import type { OPCUACertificateManager } from 'node-opcua-certificate-manager';
import type * as Client from 'node-opcua-client';

export type { Client };

export interface OpcUaLibrary {
  readonly client: typeof Client;
  readonly CertificateManager: typeof OPCUACertificateManager;
}

/** Rejects with the system's error where a package is missing. */
export async function loadOpcUa(): Promise<OpcUaLibrary> {
  const client = await import('node-opcua-client');
  const { OPCUACertificateManager: CertificateManager } = await import('node-opcua-certificate-manager');
  client.setLogLevel(client.LogLevel.Emergency);
  return { client, CertificateManager };
}
