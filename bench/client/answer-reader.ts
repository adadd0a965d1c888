// Reads HTTP/1.1 answers from the bytes of a connection, with as little work as measuring allows.

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
/** Answers with this status have no body, nor a length of one. */
const NO_CONTENT = 204;

/** Place of the reader: in a head, in a body of known length, or in one of the parts of a chunked body. */
type AnswerState = 'head' | 'body' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer';

export class AnswerReader {
  status = 0;
  bodyBytes = 0;
  /** The parts of the body; empty when they are not kept. */
  parts: Buffer[] = [];
  isKeeping = false;
  #state: AnswerState = 'head';
  /** What is left of the body, or of the chunk. */
  #leftBytes = 0;
  /** The beginning of a head or of a line of chunked coding that came in pieces. */
  #pending: Buffer | undefined;

  /** Gets ready for the next answer. */
  begin(isKeeping: boolean): void {
    this.isKeeping = isKeeping;
    this.status = 0;
    this.bodyBytes = 0;
    this.parts = [];
    this.#state = 'head';
    this.#pending = undefined;
  }

  /** Takes the next bytes, which are copied where needed. True when the answer is complete. Throws on bytes that are none. */
  take(arrived: Buffer): boolean {
    let bytes = arrived;
    if (this.#pending) {
      bytes = Buffer.concat([this.#pending, arrived]);
      this.#pending = undefined;
    }
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === 'body' || this.#state === 'chunk') {
        at = this.#takeBody(bytes, at);
        if (this.#state === 'body' && this.#leftBytes === 0) return true;
        continue;
      }
      const end = bytes.indexOf(this.#state === 'head' ? HEAD_END : LINE_END, at);
      if (end < 0) {
        this.#pending = Buffer.from(bytes.subarray(at));
        return false;
      }
      const text = bytes.toString('latin1', at, end);
      at = end + (this.#state === 'head' ? 4 : 2);
      if (this.#takeLine(text)) return true;
    }
    return false;
  }

  #takeBody(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#leftBytes);
    if (this.isKeeping) this.parts.push(Buffer.from(bytes.subarray(at, end)));
    this.bodyBytes += end - at;
    this.#leftBytes -= end - at;
    if (this.#leftBytes === 0 && this.#state === 'chunk') this.#state = 'chunk-end';
    return end;
  }

  /** A whole head, or a line of chunked coding. True when the answer ends with it. */
  #takeLine(text: string): boolean {
    switch (this.#state) {
      case 'head':
        return this.#takeHead(text);
      case 'chunk-size':
        this.#leftBytes = Number.parseInt(text, 16);
        this.#state = this.#leftBytes === 0 ? 'trailer' : 'chunk';
        return false;
      case 'chunk-end':
        this.#state = 'chunk-size';
        return false;
      default:
        return text === '';
    }
  }

  #takeHead(head: string): boolean {
    this.status = Number(head.slice(9, 12));
    if (!head.startsWith('HTTP/1.1 '))
      throw new Error(`got an answer that begins with ${JSON.stringify(head.slice(0, 20))}`);
    if (this.status === NO_CONTENT) return true;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      this.#state = 'chunk-size';
      return false;
    }
    this.#leftBytes = Number(length);
    this.#state = 'body';
    return this.#leftBytes === 0;
  }
}
