// Values in a notification of a server.

import type { DataValue, NotificationMessage } from 'node-opcua-client';
import type { Client } from './library.ts';

export interface NotifiedValue {
  readonly handle: number;
  readonly value: DataValue;
}

export function valuesOf({ notificationData }: NotificationMessage, client: typeof Client): NotifiedValue[] {
  const values: NotifiedValue[] = [];
  for (const data of notificationData ?? []) {
    if (!(data instanceof client.DataChangeNotification)) continue;
    for (const { clientHandle, value } of data.monitoredItems ?? []) values.push({ handle: clientHandle, value });
  }
  return values;
}
