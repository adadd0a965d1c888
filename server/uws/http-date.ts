// The time as the Date header has it, made once a second.

let madeForSecond = -1;
let made = '';

/** The present time, e.g. `Sun, 06 Nov 1994 08:49:37 GMT`. */
export function httpDate(): string {
  const nowMs = Date.now();
  const second = Math.floor(nowMs / 1000);
  if (second !== madeForSecond) {
    madeForSecond = second;
    made = new Date(nowMs).toUTCString();
  }
  return made;
}
