// A reporter of node:test that writes each result as a line of JSON, for the runner in another process to read.

import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { END_LINE, formatResult, type TestResult, type TestVerdict } from './test-result.ts';

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data'];

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const titles: string[] = [];
  // What a test says about itself comes after its end.
  let last: TestResult | undefined;
  for await (const { type, data } of source) {
    if (type === 'test:start') {
      titles.length = data.nesting;
      titles[data.nesting] = data.name;
    } else if (type === 'test:diagnostic' && data.file !== undefined && last !== undefined) {
      last = { ...last, notes: [...last.notes, data.message] };
    } else if (type === 'test:pass' || type === 'test:fail') {
      if (last !== undefined) yield formatResult(last);
      last = resultOf(data, titles.slice(0, data.nesting + 1), type === 'test:pass' ? 'passed' : 'failed');
    }
  }
  if (last !== undefined) yield formatResult(last);
  yield END_LINE;
}

function resultOf(data: Ended, titles: readonly string[], outcome: 'passed' | 'failed'): TestResult {
  const verdict = verdictOf(data, outcome);
  const reason = reasonOf(data, verdict);
  return {
    file: data.file,
    titles,
    verdict,
    durationMs: data.details.duration_ms,
    isSuite: data.details.type === 'suite',
    ...(reason === undefined ? {} : { reason }),
    notes: [],
  };
}

function verdictOf({ skip, todo }: Ended, outcome: 'passed' | 'failed'): TestVerdict {
  if (skip !== undefined && skip !== false) return 'skipped';
  if (todo !== undefined && todo !== false) return 'todo';
  return outcome;
}

function reasonOf(data: Ended, verdict: TestVerdict): string | undefined {
  if (verdict === 'skipped') return typeof data.skip === 'string' ? data.skip : undefined;
  if (verdict !== 'failed' || !('error' in data.details)) return undefined;
  const { error } = data.details;
  const { failureType, cause } = error as { failureType?: string; cause?: unknown };
  if (failureType === 'subtestsFailed') return undefined;
  const shown = cause ?? error;
  return typeof shown === 'string' ? shown : inspect(shown, { depth: 6 });
}
