// The memory of bodies: whoever gives one to a route gives zeros behind it.

/** Zeros behind the bytes of a body in the same memory: who reads whole words need not stop before the end. */
export const BODY_SPARE_BYTES = 128;

/** A copy of the bytes as a body. */
export function asBody(bytes: Uint8Array): Uint8Array {
  const memory = new Uint8Array(bytes.length + BODY_SPARE_BYTES);
  memory.set(bytes);
  return memory.subarray(0, bytes.length);
}

/** Body of a request or an answer without one. */
export const NO_BODY = asBody(new Uint8Array(0));

/** The bytes of an answer's body. */
export function answerBytes(body: Uint8Array | string): Uint8Array {
  if (typeof body !== 'string') return body;
  return body === '' ? NO_BODY : Buffer.from(body);
}
