// Checks and small changes of the headers of answers.

import type { HeaderList } from './http-server.ts';

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^[\t\x20-\x7e]*$/;

/** Throws when a name or value could break out of its line; text of users has to be percent-encoded before. */
export function checkHeaderList(headers: HeaderList): void {
  for (const [name, value] of headers) {
    if (!fieldName.test(name) || !fieldValue.test(value)) {
      throw new Error(`BUG: the answer's header ${JSON.stringify(name)} holds what a header cannot carry`);
    }
  }
}

/** The headers, with more of them appended. */
export function withHeaders(headers: HeaderList, ...more: HeaderList): HeaderList {
  return [...headers, ...more];
}
