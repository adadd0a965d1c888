// Every door of the server, and which of them are open.

import type { ProblemForm } from '../http/contract/http-server.ts';
import type { Route } from '../http/routing/router.ts';
import type { Service } from '../routes/service/service.ts';
import type { DoorName } from '../settings/door-names.ts';
import type { Door } from './door.ts';
import { GRAFANA_DOOR } from './grafana/grafana-door.ts';
import { I3X_DOOR } from './i3x/i3x-door.ts';
import { LINE_PROTOCOL_DOOR } from './line-protocol/line-protocol-door.ts';
import { MCP_DOOR } from './mcp/mcp-door.ts';
import { ODATA_DOOR } from './odata/odata-door.ts';
import { OPCUA_BROWSE_DOOR } from './opcua-browse/opcua-browse-door.ts';
import { PROMETHEUS_DOOR } from './prometheus/prometheus-door.ts';

const DOORS: readonly Door[] = [
  I3X_DOOR,
  PROMETHEUS_DOOR,
  GRAFANA_DOOR,
  ODATA_DOOR,
  MCP_DOOR,
  LINE_PROTOCOL_DOOR,
  OPCUA_BROWSE_DOOR,
];

export interface OpenDoors {
  readonly routes: readonly Route[];
  close(): void;
}

/** Opens all doors but the closed ones, at whose paths there is nothing. */
export function openDoors(service: Service, closed: readonly DoorName[]): OpenDoors {
  const doors = openOnes(closed).map((door) => door.open(service));
  return {
    routes: doors.flatMap(({ routes }) => routes),
    close() {
      for (const door of doors) door.close?.();
    },
  };
}

/** How errors look at the paths of the open doors. */
export function doorProblemForms(closed: readonly DoorName[]): ProblemForm[] {
  return openOnes(closed).flatMap(({ problemForm }) => problemForm ?? []);
}

function openOnes(closed: readonly DoorName[]): Door[] {
  return DOORS.filter(({ name }) => !closed.includes(name));
}
