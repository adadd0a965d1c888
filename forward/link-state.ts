// Whether the server answers, as the log tells it: one line when it goes, one when it is back, one when the store is full.

export class LinkState {
  readonly #log: (line: string) => void;
  readonly #storeFolder: string;
  readonly #whenFull: string;
  #isUp = true;
  #isFull = false;
  #wasAway = false;
  #storedBatches = 0;

  /** `whenFull` says what happens while the store is full. */
  constructor(storeFolder: string, log: (line: string) => void, whenFull: string) {
    this.#storeFolder = storeFolder;
    this.#log = log;
    this.#whenFull = whenFull;
  }

  failed(reason: string): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#wasAway = true;
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
    if (this.#storedBatches > 0 || !this.#wasAway) return;
    this.#wasAway = false;
    this.#log('all stored batches are forwarded');
  }

  storeIsFull(limitBytes: number): void {
    this.#full(`the store ${this.#storeFolder} is full (${Math.round(limitBytes / (1024 * 1024))} MB)`);
  }

  diskIsFull(): void {
    this.#full(`the disk of ${this.#storeFolder} is full`);
  }

  hasRoom(): void {
    this.#isFull = false;
  }

  #full(what: string): void {
    if (this.#isFull) return;
    this.#isFull = true;
    this.#log(`${what}: ${this.#whenFull}`);
  }
}
