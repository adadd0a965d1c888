import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BenchUsageError, parseCommand } from '../../bench/options.ts';

test('without options every suite runs, five times, but for those that repeat others', () => {
  const command = parseCommand([]);
  assert.equal(command.kind, 'run');
  if (command.kind !== 'run') return;
  const { suites, runs, quick, seed, minutes } = command.options;
  assert.deepEqual(suites, ['ingest', 'simulator', 'read', 'aggregates', 'mixed', 'engine', 'scale', 'limit']);
  assert.deepEqual({ runs, quick, seed, minutes }, { runs: 5, quick: false, seed: 1, minutes: 10 });
});

test('servers are measured as built unless the sources are asked for', () => {
  const sources = parseCommand(['--from-source']);
  const built = parseCommand([]);
  assert.ok(sources.kind === 'run' && built.kind === 'run');
  assert.deepEqual([sources.options.fromSource, built.options.fromSource], [true, false]);
});

test('quick is one run of each case unless runs are asked for', () => {
  const quick = parseCommand(['--quick', '--suite', 'limit, engine']);
  const thrice = parseCommand(['--quick', '--runs', '3']);
  assert.ok(quick.kind === 'run' && thrice.kind === 'run');
  assert.equal(quick.options.runs, 1);
  assert.deepEqual(quick.options.suites, ['limit', 'engine']);
  assert.equal(thrice.options.runs, 3);
});

test('peers are a suite of their own, all of them unless some are named', () => {
  const all = parseCommand(['--peers']);
  const some = parseCommand(['--peers', '--only', 'plain, varve', '--tags', '50', '--points', '400', '--each', '1']);
  assert.ok(all.kind === 'run' && some.kind === 'run');
  assert.deepEqual(all.options.suites, ['peers']);
  assert.deepEqual(all.options.peers, ['victoriametrics', 'clickhouse', 'influxdb', 'postgresql', 'plain', 'varve']);
  assert.deepEqual([all.options.tags, all.options.points, all.options.each], [undefined, undefined, undefined]);
  assert.deepEqual(some.options.peers, ['plain', 'varve']);
  assert.deepEqual([some.options.tags, some.options.points, some.options.each], [50, 400, 1]);
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
    [['--peers', '--only', 'oracle'], /there is no peer 'oracle'; want some of victoriametrics, /],
    [['--peers', '--tags', '0'], /--tags wants a whole number from 1 to 10000; got '0'/],
    [['--peers', '--each', '0'], /--each wants a whole number from 1 to 100000; got '0'/],
    [['--peers', '--suite', 'read'], /--peers is suite peers by itself/],
    [['--compare', 'a.json'], /--compare wants two files; got 1/],
  ] as const) {
    assert.throws(
      () => parseCommand(words),
      (error) => error instanceof BenchUsageError && message.test(error.message),
      words.join(' '),
    );
  }
});
