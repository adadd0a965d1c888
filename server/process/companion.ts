// What runs beside the server for a first look: the demo plant. The server imports nothing of the simulator, which is a
// client like any other; so the launcher says how the demo is started.

export interface CompanionOptions {
  /** Address of the server, as `http://127.0.0.1:4511`. */
  readonly url: string;
  readonly dataset: string;
  /** Good for writing to the dataset. */
  readonly token: string;
  /** Folder of the companion's running state. */
  readonly stateFolder: string;
  readonly log: (line: string) => void;
}

export interface Companion {
  /** Ends it in order, while the server still answers. */
  stop(): Promise<void>;
}

export type StartCompanion = (options: CompanionOptions) => Promise<Companion>;

let startCompanion: StartCompanion | undefined;

/** Called by the launcher before the server starts. */
export function registerCompanion(start: StartCompanion): void {
  startCompanion = start;
}

/** Starts what the launcher has registered; undefined when it has registered nothing. */
export async function runCompanion(options: CompanionOptions): Promise<Companion | undefined> {
  return startCompanion?.(options);
}
