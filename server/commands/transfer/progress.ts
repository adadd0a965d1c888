// Shows how a transfer gets on: one line that changes on a terminal, a line every few seconds otherwise.

const TERMINAL_MS = 200;
const LINE_MS = 5000;
/** Before it, how long it takes is not known. */
const LEAST_SHARE = 0.005;

/** What is counted while points are sent. */
export interface SendingCounts {
  /** Undefined where the file was not counted before. */
  readonly total: number | undefined;
  done(): number;
  /** Points that the server has stored. */
  written(): number;
}

export interface ProgressState {
  readonly what: string;
  readonly readBytes: number;
  /** Undefined where it is not known. */
  readonly sizeBytes: number | undefined;
  readonly sending: { readonly total: number | undefined; readonly done: number; readonly written: number } | undefined;
  readonly elapsedMs: number;
}

export function progressText({ what, readBytes, sizeBytes, sending, elapsedMs }: ProgressState): string {
  const seconds = Math.max(elapsedMs, 1) / 1000;
  const share = shareOf(sending?.total, sending?.done) ?? shareOf(sizeBytes, readBytes);
  const parts = [what, share === undefined ? `${megabytes(readBytes)} MB` : `${Math.floor(share * 100)} %`];
  if (sending === undefined) parts.push(`${megabytes(readBytes / seconds)} MB/s`);
  else {
    parts.push(`${sending.written.toLocaleString('en')} points written`);
    parts.push(`${Math.round(sending.done / seconds).toLocaleString('en')} points/s`);
  }
  if (share !== undefined && share >= LEAST_SHARE) parts.push(`${durationText((seconds * (1 - share)) / share)} left`);
  return parts.join(' · ');
}

function shareOf(total: number | undefined, done: number | undefined): number | undefined {
  if (total === undefined || done === undefined) return undefined;
  return total === 0 ? 1 : Math.min(done / total, 1);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

export class Progress {
  readonly #stream: NodeJS.WriteStream;
  readonly #sizeBytes: number | undefined;
  #what = '';
  #readBytes = 0;
  #startMs = 0;
  #sending: SendingCounts | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `sizeBytes`: of what is read; undefined where it is not known. */
  constructor(stream: NodeJS.WriteStream, sizeBytes: number | undefined) {
    this.#stream = stream;
    this.#sizeBytes = sizeBytes;
  }

  start(what: 'checking' | 'sending' | 'receiving', sending?: SendingCounts): void {
    this.end();
    this.#what = what;
    this.#readBytes = 0;
    this.#startMs = performance.now();
    this.#sending = sending;
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
    const sending = this.#sending;
    const line = progressText({
      what: this.#what,
      readBytes: this.#readBytes,
      sizeBytes: this.#sizeBytes,
      sending: sending && { total: sending.total, done: sending.done(), written: sending.written() },
      elapsedMs: performance.now() - this.#startMs,
    });
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  }
}
