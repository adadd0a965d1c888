// Whether the server answers, as the log tells it: one line when it goes, one when it is back, one when the store is full.

export class LinkState {
  readonly #log: (line: string) => void;
  readonly #storeFolder: string;
  #isUp = true;
  #isFull = false;
  #storedBatches = 0;

  constructor(storeFolder: string, log: (line: string) => void) {
    this.#storeFolder = storeFolder;
    this.#log = log;
  }

  failed(reason: string): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#log(`the server does not take points (${reason}): storing them in ${this.#storeFolder} until it does`);
  }

  succeeded(): void {
    if (this.#isUp) return;
    this.#isUp = true;
    this.#isFull = false;
    this.#log(`the server takes points again: ${this.#storedBatches} stored batches to forward`);
  }

  stored(): void {
    this.#storedBatches++;
  }

  forwarded(): void {
    this.#storedBatches--;
    if (this.#storedBatches === 0) this.#log('all stored batches are forwarded');
  }

  storeIsFull(limitBytes: number): void {
    if (this.#isFull) return;
    this.#isFull = true;
    const limitMb = Math.round(limitBytes / (1024 * 1024));
    this.#log(
      `the store ${this.#storeFolder} is full (${limitMb} MB): generation pauses; ` +
        'what is missing then is generated when the server is back',
    );
  }
}
