// Goes through the frames of a file, one right behind the other.

import { decodeFrame, FRAME_HEADER } from '../../../engine/format/bytes/frame.ts';
import { type SeenKinds, Variant } from './kinds.ts';

export interface WalkedFrame {
  readonly sequence: number;
  readonly payload: Uint8Array;
}

/** Throws CORRUPT where there is none. */
export function* eachFrame(
  seen: SeenKinds,
  bytes: Uint8Array,
  start: number,
  identity: number,
): Generator<WalkedFrame> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = start; offset < bytes.length; ) {
    const { sequence, syncedSequence, payloadStart, payloadEnd } = decodeFrame(bytes, view, offset, identity);
    seen.see('layout', FRAME_HEADER.name);
    if (syncedSequence < sequence - 1) seen.see('variant', Variant.RecordUnsynced);
    yield { sequence, payload: bytes.subarray(payloadStart, payloadEnd) };
    offset = payloadEnd;
  }
}
