// The numbers of msgpack, and of the typed arrays that msgpackr puts into it, as doubles.

import { TypedCode } from '../scalars/column.ts';

/** Bytes after the lead byte of a number, from 0xca on. */
const NUMBER_BYTES = [4, 8, 1, 2, 4, 8, 1, 2, 4, 8] as const;

/** Bytes of the number that begins with this lead byte, which is among them; 0 when no number does. */
export function numberBytes(lead: number): number {
  if (lead <= 0x7f || lead >= 0xe0) return 1;
  return lead >= 0xca && lead <= 0xd3 ? 1 + (NUMBER_BYTES[lead - 0xca] as number) : 0;
}

/** The number whose lead byte is at `offset`; NaN when it is something else. All of its bytes must be there. */
export function numberAt(view: DataView, offset: number): number {
  const lead = view.getUint8(offset);
  if (lead === 0xcb) return view.getFloat64(offset + 1);
  if (lead <= 0x7f) return lead;
  if (lead >= 0xe0) return lead - 256;
  switch (lead) {
    case 0xca:
      return view.getFloat32(offset + 1);
    case 0xcc:
      return view.getUint8(offset + 1);
    case 0xcd:
      return view.getUint16(offset + 1);
    case 0xce:
      return view.getUint32(offset + 1);
    case 0xcf:
      return Number(view.getBigUint64(offset + 1));
    case 0xd0:
      return view.getInt8(offset + 1);
    case 0xd1:
      return view.getInt16(offset + 1);
    case 0xd2:
      return view.getInt32(offset + 1);
    case 0xd3:
      return Number(view.getBigInt64(offset + 1));
    default:
      return Number.NaN;
  }
}

/** An entry of a typed array. */
export function typedEntry(view: DataView, code: number, offset: number): number {
  switch (code) {
    case TypedCode.Int8:
      return view.getInt8(offset);
    case TypedCode.Int16:
      return view.getInt16(offset, true);
    case TypedCode.Uint16:
      return view.getUint16(offset, true);
    case TypedCode.Int32:
      return view.getInt32(offset, true);
    case TypedCode.Uint32:
      return view.getUint32(offset, true);
    case TypedCode.Float32:
      return view.getFloat32(offset, true);
    case TypedCode.Float64:
      return view.getFloat64(offset, true);
    case TypedCode.BigInt64:
      return Number(view.getBigInt64(offset, true));
    case TypedCode.BigUint64:
      return Number(view.getBigUint64(offset, true));
    default:
      return view.getUint8(offset);
  }
}
