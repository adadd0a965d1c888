// The numbers of msgpack, and of the typed arrays that msgpackr puts into it, as doubles.

import { TypedCode } from '../scalars/column.ts';

/** Bytes behind the lead byte of a number, from 0xca on. */
const NUMBER_BYTES = [4, 8, 1, 2, 4, 8, 1, 2, 4, 8] as const;

/** Bytes of the number that begins with this lead byte, which is among them; 0 when no number does. */
export function numberBytes(lead: number): number {
  if (lead <= 0x7f || lead >= 0xe0) return 1;
  return lead >= 0xca && lead <= 0xd3 ? 1 + (NUMBER_BYTES[lead - 0xca] as number) : 0;
}

/** The number whose lead byte is at `place`; NaN when it is something else. What it takes must be there. */
export function numberAt(view: DataView, place: number): number {
  const lead = view.getUint8(place);
  if (lead === 0xcb) return view.getFloat64(place + 1);
  if (lead <= 0x7f) return lead;
  if (lead >= 0xe0) return lead - 256;
  switch (lead) {
    case 0xca:
      return view.getFloat32(place + 1);
    case 0xcc:
      return view.getUint8(place + 1);
    case 0xcd:
      return view.getUint16(place + 1);
    case 0xce:
      return view.getUint32(place + 1);
    case 0xcf:
      return Number(view.getBigUint64(place + 1));
    case 0xd0:
      return view.getInt8(place + 1);
    case 0xd1:
      return view.getInt16(place + 1);
    case 0xd2:
      return view.getInt32(place + 1);
    case 0xd3:
      return Number(view.getBigInt64(place + 1));
    default:
      return Number.NaN;
  }
}

/** An entry of a typed array. */
export function typedEntry(view: DataView, code: number, place: number): number {
  switch (code) {
    case TypedCode.Int8:
      return view.getInt8(place);
    case TypedCode.Int16:
      return view.getInt16(place, true);
    case TypedCode.Uint16:
      return view.getUint16(place, true);
    case TypedCode.Int32:
      return view.getInt32(place, true);
    case TypedCode.Uint32:
      return view.getUint32(place, true);
    case TypedCode.Float32:
      return view.getFloat32(place, true);
    case TypedCode.Float64:
      return view.getFloat64(place, true);
    case TypedCode.BigInt64:
      return Number(view.getBigInt64(place, true));
    case TypedCode.BigUint64:
      return Number(view.getBigUint64(place, true));
    default:
      return view.getUint8(place);
  }
}
