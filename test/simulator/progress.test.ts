// How the progress is shown: a bar on a terminal, plain lines otherwise.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { mock, test } from 'node:test';
import { openProgress } from '../../simulator/progress.ts';

class Screen extends Writable {
  readonly isTTY: boolean;
  readonly columns = 160;
  text = '';

  constructor(kind: 'terminal' | 'file') {
    super();
    this.isTTY = kind === 'terminal';
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  // What a bar asks of a terminal.
  cursorTo(): void {}
  clearLine(): void {}
  moveCursor(): void {}
}

function open(screen: Screen): ReturnType<typeof openProgress> {
  return openProgress(screen as unknown as NodeJS.WriteStream);
}

test('without a terminal there is a plain line every five seconds, and one at the end', (context) => {
  mock.timers.enable({ apis: ['setInterval'] });
  context.after(() => mock.timers.reset());
  const screen = new Screen('file');
  const progress = open(screen);
  let points = 0;
  progress.start({ fraction: () => 0.25, points: () => points });
  points = 1_234_567;
  mock.timers.tick(5000);
  progress.log('something else');
  progress.finish();
  const lines = screen.text.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^back-fill 25 % · 1,234,567 points · [\d,]+ points\/s · \d+ s left$/);
  assert.equal(lines[1], 'something else');
  assert.match(lines[2] ?? '', /^1,234,567 points in \d+\.\d s, [\d,]+ points\/s$/);
  assert.equal(lines.length, 3);
});

test('on a terminal there is a bar with points, rate and time left, and lines of the log above it', (context) => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  context.after(() => mock.timers.reset());
  const screen = new Screen('terminal');
  const progress = open(screen);
  progress.start({ fraction: () => 0.5, points: () => 42_000 });
  mock.timers.tick(1000);
  progress.log('a line of the log');
  progress.finish();
  assert.match(screen.text, /back-fill \[█+░+\] 50 % · 42,000 points · [\d,]+ points\/s · \d+ s left/);
  assert.match(screen.text, /a line of the log\n/);
  assert.match(screen.text, /42,000 points in \d+\.\d s/);
});
