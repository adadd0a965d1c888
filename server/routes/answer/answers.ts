// The answers that most routes give: JSON, or nothing.

import type { HeaderList, HttpResponse } from '../../http/contract/http-server.ts';

export const JSON_HEADER = ['Content-Type', 'application/json'] as const;

export function sendJson(response: HttpResponse, status: number, value: unknown, headers: HeaderList = []): void {
  response.send(status, [JSON_HEADER, ...headers], JSON.stringify(value));
}

/** 200 without a body: a client in production takes only that for success. */
export function sendDone(response: HttpResponse, headers: HeaderList = []): void {
  response.send(200, headers);
}

export function htmlHeaders(policy: string): HeaderList {
  return [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', policy],
  ];
}
