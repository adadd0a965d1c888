import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BenchUsageError, parseCommand } from '../../bench/options.ts';

test('without options every suite runs, five times, but for those that repeat others', () => {
  const command = parseCommand([]);
  assert.equal(command.kind, 'run');
  if (command.kind !== 'run') return;
  const { suites, runs, quick, seed, minutes } = command.options;
  assert.deepEqual(suites, ['ingest', 'simulator', 'read', 'mixed', 'engine', 'scale', 'limit']);
  assert.deepEqual({ runs, quick, seed, minutes }, { runs: 5, quick: false, seed: 1, minutes: 10 });
});

test('quick is one run of each case unless runs are asked for', () => {
  const quick = parseCommand(['--quick', '--suite', 'limit, engine']);
  const thrice = parseCommand(['--quick', '--runs', '3']);
  assert.ok(quick.kind === 'run' && thrice.kind === 'run');
  assert.equal(quick.options.runs, 1);
  assert.deepEqual(quick.options.suites, ['limit', 'engine']);
  assert.equal(thrice.options.runs, 3);
});

test('a bad option is explained', () => {
  for (const [words, message] of [
    [['--suite', 'ingest,nonsense'], /there is no suite 'nonsense'; want some of ingest, simulator/],
    [['--suite', ','], /names no suite/],
    [['--runs', '0'], /--runs wants a whole number from 1 to 100; got '0'/],
    [['--runs', '2.5'], /--runs wants a whole number/],
    [['--seed', 'x'], /--seed wants a whole number from 0/],
    [['--minutes', ''], /--minutes wants a number/],
    [['--fast'], /Unknown option '--fast'/],
    [['ingest'], /got 'ingest', which is no option/],
    [['--compare', 'a.json'], /--compare wants two files; got 1/],
  ] as const) {
    assert.throws(
      () => parseCommand(words),
      (error) => error instanceof BenchUsageError && message.test(error.message),
      words.join(' '),
    );
  }
});
