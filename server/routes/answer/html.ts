// What pages need.

import type { HeaderList } from '../../http/contract/http-server.ts';

export function htmlHeaders(policy: string): HeaderList {
  return [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', policy],
  ];
}
