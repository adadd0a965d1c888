// The codes that the process ends with.

export const ExitCode = {
  Ok: 0,
  Failed: 1,
  Usage: 2,
  /** A write or sync to the disk failed; a restart recovers from what is there. */
  Io: 74,
  /** The data folder or the port is in use. */
  InUse: 75,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
