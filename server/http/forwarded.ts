// Address that a request came from when it came through proxies that are trusted to say so (X-Forwarded-For).

import { isIP } from 'node:net';
import { plainAddress } from '../auth/audit/remote-address.ts';

/** Gives the client's address, of the address that the connection is from and the header, if any. */
export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string;

/**
 * Each proxy adds the address of whom it serves at the end of the header: from there on, addresses count as long as a trusted
 * proxy has added them. What is no address ends that, as do headers of clients. Undefined where no proxy is trusted.
 */
export function clientAddressBehind(proxies: readonly string[]): ClientAddress | undefined {
  if (proxies.length === 0) return undefined;
  const trusted = new Set(proxies.map(plainAddress));
  return (peer, forwardedFor = '') => {
    const hops = forwardedFor.split(',').map((hop) => hop.trim());
    let address = peer;
    while (trusted.has(plainAddress(address))) {
      const hop = hops.pop() ?? '';
      if (isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  };
}
