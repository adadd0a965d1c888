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

/** Lays out fields consecutively, in the order of the table and without padding. */
export function defineLayout<const T extends FieldTable>(name: string, table: T): Layout<T> {
  const fields: LayoutField[] = [];
  let sizeBytes = 0;
  for (const [fieldName, kind] of Object.entries(table)) {
    const bytes = KIND_BYTES[kind];
    fields.push({ name: fieldName, kind, offset: sizeBytes, sizeBytes: bytes });
    sizeBytes += bytes;
  }
  return { name, sizeBytes, fields, encode: compileEncoder<T>(fields), decode: compileDecoder<T>(fields) };
}

/** How a DataView reads and writes each kind, and whether it takes the byte order. */
const ACCESS: Readonly<Record<FieldKind, { readonly kind: string; readonly order: string }>> = {
  u8: { kind: 'Uint8', order: '' },
  u16: { kind: 'Uint16', order: ', true' },
  u32: { kind: 'Uint32', order: ', true' },
  i32: { kind: 'Int32', order: ', true' },
  f64: { kind: 'Float64', order: ', true' },
  i64: { kind: 'BigInt64', order: ', true' },
};

// Each table is compiled to straight-line code: a loop over the fields that looks up names and kinds costs microseconds for
// each header, most of the cost of a short block. The source text is built from the tables above only.

function compileEncoder<T extends FieldTable>(fields: readonly LayoutField[]): Layout<T>['encode'] {
  const lines = fields.map(({ name, kind, offset }) => {
    const { kind: access, order } = ACCESS[kind];
    return `view.set${access}(offset + ${offset}, values.${name}${order});`;
  });
  return new Function('view', 'offset', 'values', lines.join('\n')) as Layout<T>['encode'];
}

function compileDecoder<T extends FieldTable>(fields: readonly LayoutField[]): Layout<T>['decode'] {
  const lines = fields.map(({ name, kind, offset }) => {
    const { kind: access, order } = ACCESS[kind];
    return `${name}: view.get${access}(offset + ${offset}${order}),`;
  });
  return new Function('view', 'offset', `return {\n${lines.join('\n')}\n};`) as Layout<T>['decode'];
}
