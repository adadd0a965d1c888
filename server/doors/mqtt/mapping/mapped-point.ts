// A point on its way from a message to a dataset.

export interface MappedPoint {
  readonly dataset: string;
  readonly tag: string;
  /** The point as the API takes it: a JSON object with v, perhaps t, and perhaps q. */
  readonly text: string;
  /** Point without t: the earliest time that it may get. */
  readonly serverMs: number | undefined;
}

/** A message as it came. */
export interface Message {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly arrivalMs: number;
}

/** Time of a point: as text of the API, or where the server is to give it, the earliest one in ms. */
export type PointTime = string | number;

/** Text and time of a point; `value` is JSON already. */
export function timedValue(
  time: PointTime,
  value: string,
  quality: number | undefined,
): Pick<MappedPoint, 'text' | 'serverMs'> {
  const members = quality === undefined ? `"v":${value}}` : `"v":${value},"q":${quality}}`;
  if (typeof time === 'number') return { text: `{${members}`, serverMs: time };
  return { text: `{"t":"${time}",${members}`, serverMs: undefined };
}
