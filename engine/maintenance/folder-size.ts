// The size of a dataset's folder on disk. Small folders are measured on demand; large ones in slices, from time to time.

import type { Dataset } from '../dataset/dataset.ts';
import { isTurnOver, Slicer } from '../io/slicer.ts';
import { isTooManyFiles } from '../io/system-errors.ts';
import type { Vfs } from '../io/vfs.ts';

/** Folders with more files are not measured synchronously: one stat takes some 15 microseconds. */
const SMALL_FILE_COUNT = 250;
/** Age at which the measurement of a large folder is repeated at the soonest. */
const FRESH_MS = 10_000;
/** A measurement is repeated when so many times its own duration have passed: a million files take seconds. */
const REST_PER_DURATION = 20;
/** Age at which the measurement of a small folder is repeated at the soonest. */
const SMALL_FRESH_MS = 1000;

export class FolderSize {
  readonly #dataset: Dataset;
  #sizeBytes = 0;
  #fileCount = 0;
  #measuredAtMs = Number.NEGATIVE_INFINITY;
  #durationMs = 0;
  #measuring: Promise<void> | undefined;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  /**
   * Allocated bytes: exact for small folders, unless hundreds are asked for in one turn; otherwise from the last measurement,
   * which is repeated when it is old. A folder that cannot be read keeps its last measurement: one bad dataset must not
   * break the list of all.
   */
  get sizeBytes(): number {
    if (this.#fileCount <= SMALL_FILE_COUNT && !this.#mustWait()) unlessRefused(() => this.#measureNow());
    const largeMs = Math.max(FRESH_MS, REST_PER_DURATION * this.#durationMs);
    const freshMs = this.#fileCount > SMALL_FILE_COUNT ? largeMs : SMALL_FRESH_MS;
    if (this.#nowMs() - this.#measuredAtMs >= freshMs) this.#measureSoon();
    return this.#sizeBytes;
  }

  /** Whether there is a measurement, and this turn of the event loop has used its share of time. */
  #mustWait(): boolean {
    const isKnown = this.#measuredAtMs > Number.NEGATIVE_INFINITY;
    return isKnown && isTurnOver(this.#nowMs(), this.#dataset.context.tunables.sliceMs);
  }

  #nowMs(): number {
    return this.#dataset.context.clock.monotonicMs();
  }

  /** Errors are ignored here: a folder that cannot be read keeps its last measurement, and `measure` reports the error. */
  #measureSoon(): void {
    this.measure().catch(() => undefined);
  }

  /** Measures in slices; several calls share one measurement, which is given up when the dataset ends. */
  measure(): Promise<void> {
    this.#measuring ??= this.#measureInSlices().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  #measureNow(): void {
    let bytes = 0;
    let files = 0;
    for (const size of allocatedSizes(this.#dataset.context.vfs, this.#dataset.files.folder)) {
      bytes += size;
      if (++files > SMALL_FILE_COUNT) {
        this.#fileCount = files;
        this.#sizeBytes = Math.max(this.#sizeBytes, bytes);
        return;
      }
    }
    this.#sizeBytes = bytes;
    this.#fileCount = files;
    this.#measuredAtMs = this.#nowMs();
  }

  async #measureInSlices(): Promise<void> {
    const slicer = new Slicer(this.#dataset.context);
    const startMs = this.#nowMs();
    let bytes = 0;
    let files = 0;
    try {
      for (const size of allocatedSizes(this.#dataset.context.vfs, this.#dataset.files.folder)) {
        bytes += size;
        files++;
        await slicer.pause();
        if (this.#dataset.isEnding) return;
      }
    } catch (error) {
      if (!isTooManyFiles(error)) throw error;
      return; // keep the last measurement
    }
    this.#sizeBytes = bytes;
    this.#fileCount = files;
    this.#measuredAtMs = this.#nowMs();
    this.#durationMs = this.#measuredAtMs - startMs;
  }
}

/** Ignores the errors of missing file descriptors and of a failing disk. */
function unlessRefused(measure: () => void): void {
  try {
    measure();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

/** Allocated bytes of every file and folder in a folder. */
function* allocatedSizes(vfs: Vfs, folder: string): Generator<number> {
  for (const name of vfs.listSync(folder)) {
    const path = `${folder}/${name}`;
    const stat = vfs.statSync(path);
    if (!stat) continue; // removed meanwhile
    yield stat.allocatedBytes;
    if (stat.isDirectory) yield* allocatedSizes(vfs, path);
  }
}
