// How far a dataset is: in its journal, and in the time of its points.

export class DatasetProgress {
  /** The last journal record whose points are in memory. */
  appliedSequence = 0;
  /** Records up to here are in synced files; larger ones are replayed. */
  checkpointSequence = 0;
  /** Time of the newest user point, and of the newest that carried its client's time: ms, -Infinity without any. */
  newestMs = Number.NEGATIVE_INFINITY;
  newestClientMs = Number.NEGATIVE_INFINITY;

  /** The points of a journal record are in memory. */
  advanceApplied(sequence: number): void {
    if (sequence > this.appliedSequence) this.appliedSequence = sequence;
  }

  /** D9: points with the server's own time do not move what purge counts from. */
  noteNewest(lastMs: number, stamped: number): void {
    if (lastMs > this.newestMs) this.newestMs = lastMs;
    if (stamped === 0 && lastMs > this.newestClientMs) this.newestClientMs = lastMs;
  }

  /** Points were deleted: this is the time of the newest remaining user point. */
  stepBackTo(newestMs: number): void {
    this.newestMs = newestMs;
    this.newestClientMs = Math.min(this.newestClientMs, newestMs);
  }
}
