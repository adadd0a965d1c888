// The running state: for each sequence instance the next cycle, what its tags carry into it, and the definition in force.
// Together with the seed that is enough to go on exactly where the run was. msgpack behind a magic word and a hash.

import { createHash } from 'node:crypto';
import { Packr } from 'msgpackr';
import type { SequenceSource } from '../config/document/schema.ts';
import type { TagCarry } from '../generate/carry.ts';
import type { InstancePosition } from '../generate/instance-run.ts';

export interface SavedInstance {
  /** Name of its stream of random numbers; stays when the definition changes. */
  readonly key: string;
  /** The definition of its next cycle, among `definitions`, and its place in it. */
  readonly definitionHash: string;
  readonly index: number;
  readonly position: InstancePosition;
}

export interface SavedDefinition {
  readonly name: string;
  readonly source: SequenceSource;
}

export interface SavedState {
  readonly seed: number;
  readonly definitions: ReadonlyMap<string, SavedDefinition>;
  readonly instances: readonly SavedInstance[];
  /** For `--out`: what the run was asked for, and how many bytes of the file belong to this state. */
  readonly out?: { readonly runId: string; readonly sizeBytes: number };
}

const MAGIC = Buffer.from('VARVSIM1');
const HASH_BYTES = 32;

/** name, lastTimeMs, last, lastNumber, total */
type PackedCarry = readonly [string, number, string | number | null, number, number];

interface PackedState {
  readonly seed: number;
  readonly definitions: readonly (readonly [string, SavedDefinition])[];
  readonly instances: readonly (readonly [string, string, number, number, number, readonly PackedCarry[]])[];
  readonly out: { readonly runId: string; readonly sizeBytes: number } | null;
}

const packr = new Packr({ useRecords: false });

export function encodeState(state: SavedState): Buffer {
  const packed: PackedState = {
    seed: state.seed,
    definitions: [...state.definitions],
    instances: state.instances.map((instance) => {
      const { cycle, startMs, carries } = instance.position;
      return [instance.key, instance.definitionHash, instance.index, cycle, startMs, [...carries].map(packCarry)];
    }),
    out: state.out ?? null,
  };
  const body = packr.pack(packed);
  return Buffer.concat([MAGIC, createHash('sha256').update(body).digest(), body]);
}

/** `undefined` when the bytes are not a whole state. */
export function decodeState(bytes: Buffer): SavedState | undefined {
  const body = bytes.subarray(MAGIC.length + HASH_BYTES);
  const hash = bytes.subarray(MAGIC.length, MAGIC.length + HASH_BYTES);
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  if (!createHash('sha256').update(body).digest().equals(hash)) return undefined;
  const packed = packr.unpack(body) as PackedState;
  return {
    seed: packed.seed,
    definitions: new Map(packed.definitions),
    instances: packed.instances.map(([key, definitionHash, index, cycle, startMs, carries]) => ({
      key,
      definitionHash,
      index,
      position: { cycle, startMs, carries: new Map(carries.map(unpackCarry)) },
    })),
    ...(packed.out === null ? {} : { out: packed.out }),
  };
}

function packCarry([name, carry]: readonly [string, Readonly<TagCarry>]): PackedCarry {
  return [name, carry.lastTimeMs, carry.last ?? null, carry.lastNumber, carry.total];
}

function unpackCarry([name, lastTimeMs, last, lastNumber, total]: PackedCarry): [string, TagCarry] {
  return [name, { lastTimeMs, last: last ?? undefined, lastNumber, total }];
}
