// The process of one measurement: takes what to do as JSON from its one argument, and sends the result to its parent. It
// ends with its parent, and whatever it started with it.

import { measurePeer, type PeerJob } from './measure-peer.ts';

process.once('disconnect', () => process.exit(1));
const measurement = await measurePeer(JSON.parse(process.argv[2] ?? '') as PeerJob);
process.send?.(measurement, undefined, undefined, () => process.exit());
