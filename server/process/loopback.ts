// Addresses that only this machine reaches, and how URLs write an address.

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Host by which a server that listens on every address is reached from its own machine. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
