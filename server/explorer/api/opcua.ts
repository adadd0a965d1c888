// A server of OPC UA, looked at through this one before it is collected.

import { sendForJson } from './http.ts';

export interface Trial {
  readonly endpoint: string;
  readonly securityPolicy: string;
  readonly user?: string;
  readonly password?: string;
}

export interface TrialResult {
  readonly offers: readonly {
    readonly securityPolicy: string;
    readonly securityMode: string;
    readonly users: readonly string[];
  }[];
  readonly isOpen: boolean;
  readonly reason?: string;
}

export interface OpcUaNode {
  readonly id: string;
  readonly name: string;
  readonly isVariable: boolean;
  /** JSON. */
  readonly value?: string;
  readonly quality?: number;
  readonly time?: string;
  readonly type?: string;
}

export interface OpcUaLevel {
  readonly nodes: readonly OpcUaNode[];
  readonly isCut: boolean;
}

const PATH = '/api/sources/opcua';

export function tryEndpoint(trial: Trial): Promise<TrialResult> {
  return sendForJson(PATH, { method: 'POST', body: trial });
}

/** What lies below a node, the Objects folder unless one is given. */
export function browseNode(node?: string): Promise<OpcUaLevel> {
  return sendForJson(`${PATH}/browse`, { method: 'POST', body: node === undefined ? {} : { node } });
}
