// What has changed of a dataset, noted for one that follows it: ids only, so that it stays small however far behind that one is.

import type { FollowedChanges, FollowedState } from '../following.ts';

export class ChangeNotes {
  #points = new Set<number>();
  #tags = new Set<number>();
  #hasNewRules = false;
  #change: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  /** When following began, ms of the system's clock. */
  readonly sinceMs: number;
  /** All that was accepted up to this time is copied, ms; undefined while that was never so. */
  copiedUntilMs: number | undefined;
  /** State that was told last. */
  state: FollowedState = { waitingTags: 0, failures: 0 };

  constructor(nowMs: number) {
    this.sinceMs = nowMs;
  }

  /** A tag has new points. Call `announce` once all are noted. */
  notePoints(tagId: number): void {
    this.#points.add(tagId);
  }

  /** A tag was created, changed, cut or deleted. */
  noteTag(tagId: number): void {
    this.#tags.add(tagId);
    this.announce();
  }

  noteRules(): void {
    this.#hasNewRules = true;
    this.announce();
  }

  announce(): void {
    this.#wake?.();
    this.#wake = undefined;
    this.#change = undefined;
  }

  take(): FollowedChanges {
    const changes = { points: this.#points, tags: this.#tags, rules: this.#hasNewRules };
    this.#points = new Set();
    this.#tags = new Set();
    this.#hasNewRules = false;
    return changes;
  }

  /** Resolves when there is something to take, or after `announce`. */
  changed(): Promise<void> {
    if (this.#hasNewRules || this.#points.size > 0 || this.#tags.size > 0) return Promise.resolve();
    this.#change ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#change;
  }
}
