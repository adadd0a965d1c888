// Streams of random numbers by name. Every (seed, sequence instance, tag, cycle) has a stream of its own, so that a cycle
// comes out the same wherever the generation of the plant was interrupted and resumed, and whatever other tags there are.

import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** `next()` gives a uniform int32. */
export interface RandomStream {
  next(): number;
}

/** 128 bits made from names. */
export type StreamName = Int32Array;

export function streamName(seed: number, ...names: readonly string[]): StreamName {
  let a = 0x9e3779b9 ^ Math.imul(seed | 0, 0x85ebca6b);
  let b = 0x243f6a88 ^ Math.imul(Math.floor(seed / 0x1_0000_0000), 0xc2b2ae35);
  let c = 0xb7e15162;
  let d = 0x6a09e667;
  for (const name of names) {
    for (let i = 0; i <= name.length; i++) {
      // The end of a name counts as a character, so that ('ab', 'c') and ('a', 'bc') differ.
      const unit = i < name.length ? name.charCodeAt(i) : 0x1_0000;
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b ^ unit, 0x5bd1e995) ^ (a >>> 15);
      c = Math.imul(c + unit, 0x85ebca6b) ^ (b >>> 13);
      d = Math.imul(d ^ (unit + i), 0xc2b2ae35) ^ (c >>> 16);
    }
  }
  return Int32Array.of(mix(a ^ d), mix(b ^ a), mix(c ^ b), mix(d ^ c));
}

/** The stream of one cycle of what is named so. */
export function openStream(name: StreamName, cycle: number): RandomStream {
  const low = cycle | 0;
  const high = Math.floor(cycle / 0x1_0000_0000) | 0;
  const words = [0, 0, 0, 0];
  for (let i = 0; i < 4; i++) words[i] = mix((name[i] ?? 0) ^ mix(low + Math.imul(i + 1, 0x9e3779b9)) ^ mix(high ^ i));
  // The generator must not start from all zeros.
  if ((words[0] ?? 0) === 0) words[0] = 1;
  return xoroshiro128plusFromState(words);
}

/** Uniform in [0, 1), 32 bits of it. */
export function drawUnit(stream: RandomStream): number {
  return (stream.next() >>> 0) / 0x1_0000_0000;
}

/** Uniform in [0, 1), 53 bits of it. */
export function drawFineUnit(stream: RandomStream): number {
  return ((stream.next() >>> 5) * 0x400_0000 + (stream.next() >>> 6)) / 0x20_0000_0000_0000;
}

function mix(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return h ^ (h >>> 16);
}
