// Says on standard error what is being measured, for whoever waits.

/** The place of the lines: each is a line of its own, or all stand in the place of one that is removed at the end. */
export type ProgressForm = 'lines' | 'one line' | 'none';

export interface Progress {
  show(line: string): void;
  /** Before something is printed: nothing stays that would stand between. */
  clear(): void;
}

const CLEAR_LINE = '\r\u001b[2K';

export function createProgress(form: ProgressForm, out: NodeJS.WriteStream = process.stderr): Progress {
  const write: Record<ProgressForm, (line: string) => void> = {
    lines: (line) => void out.write(`${line}\n`),
    'one line': (line) => void out.write(CLEAR_LINE + line.trim().slice(0, (out.columns ?? 80) - 1)),
    none: () => undefined,
  };
  return {
    show: write[form],
    clear: () => {
      if (form === 'one line') out.write(CLEAR_LINE);
    },
  };
}
