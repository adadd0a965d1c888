// Preloaded into a server process, as it stands, since that runs no TypeScript: all its clocks run an offset ahead, and SIGUSR2 makes it read the offset again.
// The file named by TURNED_CLOCK_FILE holds the offset in ms. The monotonic clocks start as they are and move on together with the wall clock.
// With TURNED_CLOCK_STANDS they move by the offset alone: what a busy machine takes for anything is no time then.

import { readFileSync } from 'node:fs';

const offsetFile = process.env.TURNED_CLOCK_FILE ?? '';
const readOffsetMs = () => Number(readFileSync(offsetFile, 'utf8'));
const startOffsetMs = readOffsetMs();
let offsetMs = startOffsetMs;

const RealDate = Date;
const realHrtime = process.hrtime;
const stands = process.env.TURNED_CLOCK_STANDS !== undefined;
const ownDateNow = clockOf(RealDate.now);
const ownNow = clockOf(performance.now.bind(performance));
const ownHrtimeBigint = clockOf(process.hrtime.bigint.bind(process.hrtime));

function clockOf(read) {
  const start = read();
  return stands ? () => start : read;
}

const turnedNs = () => BigInt(Math.round((offsetMs - startOffsetMs) * 1e6));

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [ownDateNow() + offsetMs] : args, newTarget),
  get: (target, key, receiver) => (key === 'now' ? () => ownDateNow() + offsetMs : Reflect.get(target, key, receiver)),
});

Object.defineProperty(performance, 'now', { value: () => ownNow() + offsetMs - startOffsetMs });

const hrtime = (previous) => {
  const ns =
    ownHrtimeBigint() +
    turnedNs() -
    (previous === undefined ? 0n : BigInt(previous[0]) * 1_000_000_000n + BigInt(previous[1]));
  return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
};
process.hrtime = Object.assign(hrtime, { ...realHrtime, bigint: () => ownHrtimeBigint() + turnedNs() });

process.on('SIGUSR2', () => {
  offsetMs = readOffsetMs();
  process.stderr.write(`clock turned to ${offsetMs}\n`);
});
