// Writes points as JSON in compact JSON, digit by digit: making the bodies must not take longer than sending them.

const MINUTE_MS = 60_000;
const ZERO = 48;
const BEFORE_TIME = '{"t":"';
const MINUTE_LENGTH = '2026-01-01T00:00:'.length;
const BEFORE_VALUE = bytesOf('Z","v":');
const AFTER_VALUE = bytesOf(',"q":192}');

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export class JsonBytes {
  bytes = Buffer.allocUnsafe(1 << 20);
  length = 0;
  #minute = Number.NaN;
  #minuteBytes: Uint8Array = new Uint8Array(0);

  clear(): void {
    this.length = 0;
  }

  /** A copy of what was written. */
  take(): Buffer {
    const taken = Buffer.allocUnsafeSlow(this.length);
    taken.set(this.bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  text(text: string): void {
    this.#reserve(text.length);
    this.length += this.bytes.write(text, this.length, 'latin1');
  }

  byte(code: number): void {
    this.#reserve(1);
    this.bytes[this.length++] = code;
  }

  /** `{"t":"…","v":` */
  timeKey(timeMs: number): void {
    this.#reserve(64);
    const minute = Math.floor(timeMs / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      const iso = new Date(minute * MINUTE_MS).toISOString();
      this.#minuteBytes = bytesOf(BEFORE_TIME + iso.slice(0, MINUTE_LENGTH));
    }
    this.#raw(this.#minuteBytes);
    const inMinute = timeMs - minute * MINUTE_MS;
    const second = (inMinute / 1000) | 0;
    this.#digits(second, 2);
    this.bytes[this.length++] = 46;
    this.#digits(inMinute - second * 1000, 3);
    this.#raw(BEFORE_VALUE);
  }

  /** `,"q":192}` */
  quality(): void {
    this.#reserve(AFTER_VALUE.length);
    this.#raw(AFTER_VALUE);
  }

  /** A value of two decimals, in the fewest digits. */
  hundredths(value: number): void {
    this.#reserve(24);
    const size = Math.abs(value);
    if (value < 0) this.bytes[this.length++] = 45;
    const whole = Math.floor(size / 100);
    this.#whole(whole);
    const rest = size - whole * 100;
    if (rest === 0) return;
    this.bytes[this.length++] = 46;
    if (rest % 10 === 0) this.#digits(rest / 10, 1);
    else this.#digits(rest, 2);
  }

  /** A whole number from 0 to 2^53. */
  whole(value: number): void {
    this.#reserve(24);
    this.#whole(value);
  }

  #whole(value: number): void {
    let count = 1;
    for (let power = 10; power <= value; power *= 10) count++;
    this.#digits(value, count);
  }

  #digits(value: number, count: number): void {
    let rest = value;
    for (let at = this.length + count - 1; at >= this.length; at--) {
      const next = Math.floor(rest / 10);
      this.bytes[at] = ZERO + (rest - next * 10);
      rest = next;
    }
    this.length += count;
  }

  #raw(bytes: Uint8Array): void {
    const target = this.bytes;
    let at = this.length;
    for (let i = 0; i < bytes.length; i++) target[at++] = bytes[i] as number;
    this.length = at;
  }

  #reserve(extraBytes: number): void {
    if (this.length + extraBytes <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(this.bytes.length * 2 + extraBytes);
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}
