import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand } from '../../bench/options.ts';
import { ratiosTo } from '../../bench/peers/ratios.ts';
import { type CaseResult, figure, measured } from '../../bench/report/result.ts';
import { SuiteRun } from '../../bench/suite-run.ts';

function suiteOf(...words: string[]): SuiteRun {
  const command = parseCommand(words);
  assert.ok(command.kind === 'run');
  return new SuiteRun(command.options, () => {});
}

test('cases in turns run round by round, and one that fails leaves the others alone', async () => {
  const suite = suiteOf('--runs', '3');
  const calls: string[] = [];
  const entry = (name: string) => ({
    table: 't',
    name,
    work: () => {
      calls.push(name);
      if (name === 'b' && calls.length > 3) return Promise.reject(new Error('it broke'));
      return Promise.resolve([measured('rate', '', 'more', calls.length)]);
    },
  });
  await suite.measureInTurns([entry('a'), entry('b'), { ...entry('c'), runs: 1 }]);
  assert.deepEqual(calls, ['a', 'b', 'c', 'a', 'b', 'a']);
  assert.deepEqual(
    suite.cases.map(({ name, error }) => [name, error]),
    [
      ['a', undefined],
      ['b', 'it broke'],
      ['c', undefined],
    ],
  );
  assert.deepEqual(suite.cases[0]?.figures[0]?.values, [1, 4, 6]);
});

test('ratios are made run by run, of the figures that both have', () => {
  const caseOf = (name: string, rates: number[], cpus: number[]): CaseResult => ({
    table: 't',
    name,
    notes: [],
    figures: [
      figure('rate', 'M points/s', 'more', rates),
      figure('memory over empty', 'MB', 'less', [1, 2, 3]),
      ...(cpus.length > 0 ? [figure('CPU warm', 's/M', 'less', cpus)] : []),
    ],
  });
  const plain = caseOf('plain', [1, 2, 4], [1, 1, 1]);
  const empty: CaseResult = { table: 't', name: 'absent', notes: ['not installed'], figures: [] };
  const ratios = ratiosTo(plain, [
    plain,
    empty,
    caseOf('ours', [3, 4, 20], [0.5, 0.25, 0.5]),
    caseOf('x', [1, 1, 1], []),
  ]);
  assert.deepEqual(
    ratios.map(({ table, name }) => [table, name]),
    [
      ['times plain', 'ours'],
      ['times plain', 'x'],
    ],
  );
  const [rate, cpu] = ratios[0]?.figures ?? [];
  assert.deepEqual([rate?.name, rate?.median, rate?.values], ['rate', 3, [3, 2, 5]]);
  assert.deepEqual([cpu?.name, cpu?.median, cpu?.better], ['CPU warm', 0.5, 'less']);
  assert.equal(ratios[1]?.figures.length, 1);
  assert.deepEqual(ratiosTo(empty, [plain]), []);
});
