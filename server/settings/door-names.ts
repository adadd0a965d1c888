// The doors of the server by name: the standards that it speaks besides its own API.

export const DOOR_NAMES = ['i3x', 'prometheus', 'grafana', 'odata', 'mcp', 'line-protocol', 'opcua-browse'] as const;
export type DoorName = (typeof DOOR_NAMES)[number];
