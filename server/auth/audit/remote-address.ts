// Remote addresses in one form, whichever transport tells them.

import { isIPv6 } from 'node:net';

const MAPPED_IPV4 = [0, 0, 0, 0, 0, 0xffff] as const;
/** Groups of 16 bits of an IPv6 address that belong to one network; who has one address of it has all of them. */
const NETWORK_GROUPS = 4;

/** IPv4 also where it came as IPv6 (`::ffff:10.0.0.7` is `10.0.0.7`), IPv6 in the form that URLs have. */
export function plainAddress(address: string): string {
  const groups = ipv6Groups(address);
  if (groups === undefined) return address;
  if (MAPPED_IPV4.every((group, index) => groups[index] === group)) {
    const [high = 0, low = 0] = groups.slice(MAPPED_IPV4.length);
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  }
  return canonicalIpv6(address);
}

/** What attempts are counted by: the address, or the /64 network of an IPv6 address. Takes a plain address. */
export function networkOf(plain: string): string {
  const groups = ipv6Groups(plain);
  if (groups === undefined) return plain;
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

function canonicalIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** The eight groups of 16 bits; undefined when it is no IPv6 address (or has a zone, which is not counted by). */
function ipv6Groups(address: string): number[] | undefined {
  if (!isIPv6(address) || address.includes('%')) return undefined;
  const [head = '', tail] = canonicalIpv6(address).split('::');
  const before = parseGroups(head);
  if (tail === undefined) return before;
  const after = parseGroups(tail);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function parseGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
