// A point on its way from a message to a dataset.

export interface MappedPoint {
  readonly dataset: string;
  readonly tag: string;
  /** The point as the API takes it: a JSON object with t, v and perhaps q. */
  readonly text: string;
}

/** A message as it came. */
export interface Message {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly arrivalMs: number;
}

/** The JSON of a point; `value` is JSON already. */
export function pointText(time: string, value: string, quality: number | undefined): string {
  return quality === undefined ? `{"t":"${time}","v":${value}}` : `{"t":"${time}","v":${value},"q":${quality}}`;
}
