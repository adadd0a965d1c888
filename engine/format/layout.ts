// Fixed binary layouts as data: one field table serves the encoder, the decoder, the size pins and docs/format.md.
// Little-endian throughout.

export type FieldKind = 'u8' | 'u16' | 'u32' | 'i32' | 'f64' | 'i64';

const KIND_BYTES: Readonly<Record<FieldKind, number>> = { u8: 1, u16: 2, u32: 4, i32: 4, f64: 8, i64: 8 };

/** The value of a field: `i64` is a bigint (for bits that a double could alter), everything else a number. */
export type FieldValue<K extends FieldKind> = K extends 'i64' ? bigint : number;
export type FieldTable = Readonly<Record<string, FieldKind>>;
export type LayoutValues<T extends FieldTable> = { -readonly [N in keyof T]: FieldValue<T[N]> };

export interface LayoutField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly offset: number;
  readonly sizeBytes: number;
}

export interface Layout<T extends FieldTable> {
  readonly name: string;
  readonly sizeBytes: number;
  readonly fields: readonly LayoutField[];
  /** Writes all fields at `offset`. */
  encode(view: DataView, offset: number, values: LayoutValues<T>): void;
  decode(view: DataView, offset: number): LayoutValues<T>;
}

/** Lays fields out one behind the other, in the order of the table and without padding. */
export function defineLayout<const T extends FieldTable>(name: string, table: T): Layout<T> {
  const fields: LayoutField[] = [];
  let sizeBytes = 0;
  for (const [fieldName, kind] of Object.entries(table)) {
    const bytes = KIND_BYTES[kind];
    fields.push({ name: fieldName, kind, offset: sizeBytes, sizeBytes: bytes });
    sizeBytes += bytes;
  }
  return {
    name,
    sizeBytes,
    fields,
    encode(view, offset, values) {
      for (const field of fields) {
        encodeField(view, offset + field.offset, field.kind, values[field.name] as number | bigint);
      }
    },
    decode(view, offset) {
      const values: Record<string, number | bigint> = {};
      for (const field of fields) values[field.name] = decodeField(view, offset + field.offset, field.kind);
      return values as LayoutValues<T>;
    },
  };
}

function encodeField(view: DataView, offset: number, kind: FieldKind, value: number | bigint): void {
  switch (kind) {
    case 'u8':
      return view.setUint8(offset, value as number);
    case 'u16':
      return view.setUint16(offset, value as number, true);
    case 'u32':
      return view.setUint32(offset, value as number, true);
    case 'i32':
      return view.setInt32(offset, value as number, true);
    case 'f64':
      return view.setFloat64(offset, value as number, true);
    case 'i64':
      return view.setBigInt64(offset, value as bigint, true);
  }
}

function decodeField(view: DataView, offset: number, kind: FieldKind): number | bigint {
  switch (kind) {
    case 'u8':
      return view.getUint8(offset);
    case 'u16':
      return view.getUint16(offset, true);
    case 'u32':
      return view.getUint32(offset, true);
    case 'i32':
      return view.getInt32(offset, true);
    case 'f64':
      return view.getFloat64(offset, true);
    case 'i64':
      return view.getBigInt64(offset, true);
  }
}
