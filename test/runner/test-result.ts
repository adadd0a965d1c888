// What one test gave, as the process of its file tells it to the runner: one line of JSON each.

export type TestVerdict = 'passed' | 'failed' | 'skipped' | 'todo';

export interface TestResult {
  /** File in which the test was defined; it may lie in a module that the test's file imports. */
  readonly file: string | undefined;
  /** Titles of the suites and tests around it, outermost first, and its own. */
  readonly titles: readonly string[];
  readonly verdict: TestVerdict;
  readonly durationMs: number;
  /** A suite is not counted as a test. */
  readonly isSuite: boolean;
  /** Why it failed, or was skipped; undefined for what passed, and for what failed only because a test in it did. */
  readonly reason?: string;
  /** What the test said about itself: seeds, above all. */
  readonly notes: readonly string[];
}

/** The last line of a file's results, written when its last test has ended. */
export const END_LINE = '"end"\n';

export interface FileResults {
  readonly results: readonly TestResult[];
  /** False when the process ended before its last test did. */
  readonly isComplete: boolean;
}

export function formatResult(result: TestResult): string {
  return `${JSON.stringify(result)}\n`;
}

/** A process that was ended may have left half a line: it is not counted. */
export function parseResults(text: string): FileResults {
  const isComplete = text.endsWith(END_LINE);
  const lines = (isComplete ? text.slice(0, -END_LINE.length) : text).split('\n').slice(0, -1);
  return { results: lines.map((line) => JSON.parse(line) as TestResult), isComplete };
}
