// Shows how a transfer gets on: one line that changes on a terminal, a line every few seconds otherwise.

const TERMINAL_MS = 200;
const LINE_MS = 5000;

export class Progress {
  readonly #stream: NodeJS.WriteStream;
  readonly #sizeBytes: number | undefined;
  #what = '';
  #readBytes = 0;
  #written: (() => number) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `sizeBytes`: of what is read; undefined where it is not known. */
  constructor(stream: NodeJS.WriteStream, sizeBytes: number | undefined) {
    this.#stream = stream;
    this.#sizeBytes = sizeBytes;
  }

  /** `written` gives the points that the server has stored. */
  start(what: 'checking' | 'sending' | 'receiving', written?: () => number): void {
    this.end();
    this.#what = what;
    this.#readBytes = 0;
    this.#written = written;
    this.#timer = setInterval(() => this.#show(), this.#stream.isTTY ? TERMINAL_MS : LINE_MS);
  }

  read(bytes: number): void {
    this.#readBytes += bytes;
  }

  /** A line of its own. */
  log(line: string): void {
    this.#stream.write(`${this.#stream.isTTY ? '\r\x1b[K' : ''}${line}\n`);
  }

  end(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[K');
  }

  #show(): void {
    const read =
      this.#sizeBytes === undefined
        ? `${(this.#readBytes / 1e6).toFixed(1)} MB`
        : `${Math.floor((this.#readBytes * 100) / Math.max(this.#sizeBytes, 1))} %`;
    const points = this.#written === undefined ? '' : ` · ${this.#written().toLocaleString('en')} points written`;
    const line = `${this.#what} · ${read}${points}`;
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  }
}
