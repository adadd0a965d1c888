// Checks and small changes of the headers of answers.

import type { HeaderList } from './http-server.ts';

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^[\t\x20-\x7e]*$/;

/**
 * The same function, which is asked once where it is given the same object again and again: small writes are nearly all
 * answered alike, and their headers are then one list that does not change.
 */
export function rememberingLast<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let lastKey: Key | undefined;
  let lastValue: Value;
  return (key) => {
    if (key !== lastKey) {
      lastValue = make(key);
      lastKey = key;
    }
    return lastValue;
  };
}

/** Throws when a name or value could break out of its line; text of users has to be percent-encoded before. */
export const checkHeaderList: (headers: HeaderList) => void = rememberingLast((headers: HeaderList) => {
  for (const [name, value] of headers) {
    if (!fieldName.test(name) || !fieldValue.test(value)) {
      throw new Error(`BUG: the answer's header ${JSON.stringify(name)} holds what a header cannot carry`);
    }
  }
});

/** The headers, with more of them appended. */
export function withHeaders(headers: HeaderList, ...more: HeaderList): HeaderList {
  return [...headers, ...more];
}
